// Go's net/http as a peer: started with the port, the certificate, its key, and the folder that it serves.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	port, cert, key, folder := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
	http.Handle("/", http.FileServer(http.Dir(folder)))
	http.HandleFunc("/echo", func(response http.ResponseWriter, request *http.Request) {
		io.Copy(response, request.Body)
	})
	http.HandleFunc("/trailers", func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Trailer", "X-Checksum")
		fmt.Fprint(response, "hello\n")
		response.Header().Set("X-Checksum", "6")
	})
	http.HandleFunc("/early", func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("Link", "</small.txt>; rel=preload")
		response.WriteHeader(http.StatusEarlyHints)
		fmt.Fprint(response, "hello\n")
	})
	http.HandleFunc("/fields", func(response http.ResponseWriter, _ *http.Request) {
		// More than a frame holds, so that CONTINUATION frames follow.
		for number := 0; number < 200; number++ {
			response.Header().Set(fmt.Sprintf("X-Field-%d", number), strings.Repeat("~", 200))
		}
		fmt.Fprint(response, "hello\n")
	})
	http.HandleFunc("/drip", func(response http.ResponseWriter, _ *http.Request) {
		for _, letter := range "hello\n" {
			fmt.Fprint(response, string(letter))
			response.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	})
	log.Fatal(http.ListenAndServeTLS("127.0.0.1:"+port, cert, key, nil))
}
