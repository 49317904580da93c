"""All networks within a Bayes factor of the best: Liao, Sharma, Cussens and van Beek (2019)."""
