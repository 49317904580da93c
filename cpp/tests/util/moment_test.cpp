#include "credenet/util/moment.hpp"

#include "check.hpp"

namespace {

class CountPolls final : public credenet::Control {
 public:
  [[nodiscard]] bool poll(const credenet::Progress& progress) override {
    CHECK(progress.done == 7);
    return ++n_polls < 3;
  }
  int n_polls = 0;
};

}  // namespace

int main() {
  CountPolls control;
  credenet::Moment moment(control);
  CHECK(moment.poll({7, 9}) && moment.poll({7, 9}));
  CHECK(control.n_polls == 2);
  // The control says stop; work goes on for a moment, without asking again.
  CHECK(moment.poll({7, 9}) && control.n_polls == 3);
  CHECK(moment.poll({7, 9}) && control.n_polls == 3);
  while (moment.poll({7, 9})) {
  }
  CHECK(!moment.poll({7, 9}) && control.n_polls == 3);
}
