module hook

go 1.21

require hookbox v0.0.0

replace hookbox => ./hookbox
