"""Structure priors: Eggeling, Viinikka, Vuoksenmaa and Koivisto (2019)."""
