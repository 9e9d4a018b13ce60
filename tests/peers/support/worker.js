// SPDX-License-Identifier: MIT
// worker.js -- answers as worker.py does, by Ajv ($NODE_PATH is where it is).
const readline = require('readline');
const settings = { strict: false, validateFormats: false, logger: false };
const Ajv2020 = require('ajv/dist/2020').default, Ajv = require('ajv').default;
const kinds = { '2020-12': new Ajv2020(settings), '7': new Ajv(settings) };

function letter(validate, text) {
  try {
    return validate(JSON.parse(text)) ? '1' : '0';
  } catch (e) {
    return 'e';
  }
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const [draft, schema, ...texts] = line.split('\t');
  try {
    kinds[draft].removeSchema(); // but the metaschemas
    const validate = kinds[draft].compile(JSON.parse(schema));
    console.log(texts.map((text) => letter(validate, text)).join(''));
  } catch (e) {
    console.log('refused: ' + String(e.message).replace(/\s+/g, ' '));
  }
});
