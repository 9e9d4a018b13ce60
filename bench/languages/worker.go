// SPDX-License-Identifier: MIT
// worker.go -- decodes and encodes a text for run.py: worker FILE
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
)

// CPU time of the process in seconds, the collector's threads included.
func cpu() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	var value interface{}
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	fmt.Println(runtime.Version())
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var what string
		var seconds, passed float64
		fmt.Sscan(lines.Text(), &what, &seconds)
		count, began := 0, cpu()
		for passed < seconds {
			if what == "decode" {
				var v interface{}
				json.Unmarshal(text, &v)
			} else {
				json.Marshal(value)
			}
			count++
			passed = cpu() - began
		}
		fmt.Println(count, passed, len(text))
	}
}
