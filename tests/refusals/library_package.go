package library // want 9: package library is not a main package; run a test of it with --test NAME

func Do() {}
