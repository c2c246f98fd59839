module check

go 1.21

require hookbox v0.0.0

replace hookbox => ../../../sdk/go/hookbox
