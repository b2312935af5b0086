package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/shmkv/shmkv/generated/go/shkv2"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	w, err := shkv2.Create(path)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Publish("from", "Go"); err != nil {
		return err
	}
	r, err := shkv2.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	for u, err := range r.Updates(ctx) {
		if err != nil {
			return err
		}
		fmt.Println(u.ID, u.Slot.Key(), u.Slot.Value())
		return nil
	}
	return nil
}
