module gofront

go 1.19
