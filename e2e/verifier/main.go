// Checks a transparency log with the packages behind Go's checksum database, golang.org/x/mod/sumdb/{note,tlog}.
//
//	verify <URL of the log> <verifier key> <file with a kept checkpoint> <bytes of an entry that must be there>
//
// Prints a line for each check. Exit code 0 when all is right, else 1.
package main

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// The height of a tile in C2SP tlog-tiles. Its paths leave the height out.
const height = 8

type remote struct {
	url   string
	tiles map[tlog.Tile][]byte
}

func (r remote) read(path string) ([]byte, error) {
	answer, err := http.Get(r.url + "/" + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answered %d", path, answer.StatusCode)
	}
	return io.ReadAll(answer.Body)
}

// The methods of tlog.TileReader.

func (r remote) Height() int { return height }

func (r remote) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, isKnown := r.tiles[tile]
		if !isKnown {
			var err error
			if data, err = r.read(strings.Replace(tile.Path(), "tile/8/", "tile/", 1)); err != nil {
				return nil, err
			}
		}
		all = append(all, data)
	}
	return all, nil
}

// SaveTiles keeps tiles that belong into the tree.
func (r remote) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	for place, tile := range tiles {
		r.tiles[tile] = data[place]
	}
}

// readEntries returns the entries of the bundle that begins with entry 256 × index.
func (r remote) readEntries(index, size int64) ([][]byte, error) {
	tile := tlog.Tile{H: height, L: 0, N: index, W: 256}
	if left := size - 256*index; left < 256 {
		tile.W = int(left)
	}
	data, err := r.read(strings.Replace(tile.Path(), "tile/8/0/", "tile/entries/", 1))
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(data) >= 2 {
		length := int(binary.BigEndian.Uint16(data))
		if len(data) < 2+length {
			return nil, errors.New("a bundle of entries is too short")
		}
		entries = append(entries, data[2:2+length])
		data = data[2+length:]
	}
	if len(entries) != tile.W || len(data) > 0 {
		return nil, errors.New("a bundle has another number of entries")
	}
	return entries, nil
}

func openCheckpoint(message []byte, verifier note.Verifier) (tlog.Tree, error) {
	opened, err := note.Open(message, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 || lines[0] != verifier.Name() {
		return tlog.Tree{}, errors.New("it is not a checkpoint of this log")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	var tree tlog.Tree
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || copy(tree.Hash[:], root) != len(tree.Hash) {
		return tlog.Tree{}, errors.New("the root is malformed")
	}
	tree.N = size
	return tree, nil
}

func checkEntries(log remote, tree tlog.Tree, hashes tlog.HashReader, wanted string) error {
	isThere := false
	for index := int64(0); 256*index < tree.N; index++ {
		entries, err := log.readEntries(index, tree.N)
		if err != nil {
			return err
		}
		for place, entry := range entries {
			number := 256*index + int64(place)
			proof, err := tlog.ProveRecord(tree.N, number, hashes)
			if err != nil {
				return err
			}
			if err := tlog.CheckRecord(proof, tree.N, tree.Hash, number, tlog.RecordHash(entry)); err != nil {
				return fmt.Errorf("entry %d: %w", number, err)
			}
			isThere = isThere || string(entry) == wanted
		}
	}
	if !isThere {
		return errors.New("the entry is not in the log")
	}
	return nil
}

func check(url, vkey, keptFile, entry string) error {
	verifier, err := note.NewVerifier(vkey)
	if err != nil {
		return err
	}
	log := remote{url, map[tlog.Tile][]byte{}}
	message, err := log.read("checkpoint")
	if err != nil {
		return err
	}
	tree, err := openCheckpoint(message, verifier)
	if err != nil {
		return err
	}
	fmt.Printf("ok: the checkpoint of %d entries is signed\n", tree.N)
	hashes := tlog.TileHashReader(tree, log)
	if err := checkEntries(log, tree, hashes, entry); err != nil {
		return err
	}
	fmt.Println("ok: every entry is included")
	keptMessage, err := os.ReadFile(keptFile)
	if err != nil {
		return err
	}
	kept, err := openCheckpoint(keptMessage, verifier)
	if err != nil {
		return fmt.Errorf("the kept checkpoint: %w", err)
	}
	proof, err := tlog.ProveTree(tree.N, kept.N, hashes)
	if err != nil {
		return err
	}
	if err := tlog.CheckTree(proof, tree.N, tree.Hash, kept.N, kept.Hash); err != nil {
		return fmt.Errorf("the log does not continue the kept checkpoint: %w", err)
	}
	fmt.Printf("ok: the log continues the kept checkpoint of %d entries\n", kept.N)
	return nil
}

func main() {
	if len(os.Args) != 5 {
		fmt.Println("refused: four arguments are needed")
		os.Exit(1)
	}
	if err := check(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Println("refused:", err)
		os.Exit(1)
	}
}
