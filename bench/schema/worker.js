// SPDX-License-Identifier: MIT
// worker.js -- as worker.lua, for Ajv with JSON.parse: node worker.js FOLDER SECONDS.
const fs = require('fs');

const MOST = 400000;
const [folder, seconds] = [process.argv[2], Number(process.argv[3])];
const schema = JSON.parse(fs.readFileSync(folder + '/schema.json', 'utf8'));
const draft = /draft-0[46]|2019-09|2020-12/.exec(schema.$schema || '');
const Ajv = require(draft && draft[0][0] === '2' ? 'ajv/dist/' + draft[0].slice(0, 4) : 'ajv').default;
const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });
if (draft && draft[0] === 'draft-06') ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
if (draft && draft[0] === 'draft-04') delete schema.$schema;
const validate = ajv.compile(schema);
const texts = [];
let size = 0;
for (const line of fs.readFileSync(folder + '/instances.jsonl', 'utf8').split('\n')) {
  if (line === '') continue;
  texts.push(line);
  size += Buffer.byteLength(line);
  if (size > MOST) break;
}
const values = texts.map((text) => JSON.parse(text));
const clock = () => Number(process.cpuUsage().user) / 1e6;
const best = { 'Ajv text': Infinity, 'Ajv value': Infinity };
const stop = clock() + seconds;
while (clock() < stop) {
  const from = performance.now();
  for (const text of texts) validate(JSON.parse(text));
  const middle = performance.now();
  for (const value of values) validate(value);
  best['Ajv text'] = Math.min(best['Ajv text'], middle - from);
  best['Ajv value'] = Math.min(best['Ajv value'], performance.now() - middle);
}
for (const name in best) console.log(name + '\t' + (best[name] / size * 1e6).toFixed(3));
