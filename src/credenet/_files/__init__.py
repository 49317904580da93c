"""Reading and writing of files, encodings and suffixes."""
