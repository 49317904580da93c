"""Networks of bounded tree-width: Nie, de Campos and Ji (2016), and the files of bn-slim."""
