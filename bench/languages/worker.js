// SPDX-License-Identifier: MIT
// worker.js -- decodes and encodes a text for run.py: node worker.js FILE
// Node.js keeps texts in Latin-1 or UTF-16, so a program that reads and writes UTF-8 converts: that is measured, too.
const bytes = require("fs").readFileSync(process.argv[2]);
const value = JSON.parse(bytes.toString());
const work = { decode: () => JSON.parse(bytes.toString()), encode: () => Buffer.from(JSON.stringify(value)) };
console.log(process.version);
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const [what, seconds] = line.split(" ");
  const began = process.cpuUsage();
  let count = 0, passed = 0;
  do {
    work[what]();
    count++;
    const used = process.cpuUsage(began); // of all threads: the collector's, too
    passed = (used.user + used.system) / 1e6;
  } while (passed < Number(seconds));
  console.log(count, passed, bytes.length);
});
