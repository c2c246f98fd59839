module hookbox

go 1.21
