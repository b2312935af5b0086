package golang

func (g *generator) readerFile() *source { return nil }
func (g *generator) writerFile() *source { return nil }
