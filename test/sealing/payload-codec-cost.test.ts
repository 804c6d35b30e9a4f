// What sealing costs, against the cipher alone over the same bytes in the same minute, since machines differ.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { codecOf, keyringOf } from './payloads.js';
import type { Payload } from '../../sealing/sealed-payload.js';

const ROUNDS = 4000;
const WARM_UP = 500;
const [{ key }] = keyringOf('k1');
const data = randomBytes(2000);
const payload: Payload = { metadata: { encoding: Buffer.from('json/plain') }, data };
const codec = codecOf();

async function throughTheCodec(): Promise<void> {
  const [opened] = await codec.decode(await codec.encode([payload]));
  if (opened?.data?.length !== data.length) throw new Error('expected what was sealed');
}

/** The least that sealing and opening can cost in this process. */
function throughTheCipher(): void {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAuthTag(cipher.getAuthTag());
  const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
  if (opened.length !== data.length) throw new Error('expected what was sealed');
}

async function microseconds(work: () => Promise<void> | void): Promise<number> {
  const begun = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - begun) / 1000;
}

const atShare = (times: readonly number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * share)] ?? NaN;

test('a payload of 2 kB is sealed and opened at no more than three times the cost of the cipher alone', async () => {
  const [codecs, ciphers]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [one, other] = [await microseconds(throughTheCodec), await microseconds(throughTheCipher)];
    if (round < WARM_UP) continue;
    codecs.push(one);
    ciphers.push(other);
  }
  const [codecUs, cipherUs] = [atShare(codecs, 0.5), atShare(ciphers, 0.5)];
  console.log(
    `2 kB sealed and opened: median ${codecUs.toFixed(0)} µs, p99 ${atShare(codecs, 0.99).toFixed(0)} µs; ` +
      `the cipher alone: median ${cipherUs.toFixed(0)} µs, p99 ${atShare(ciphers, 0.99).toFixed(0)} µs; ratio ${(codecUs / cipherUs).toFixed(2)}`,
  );
  expect(codecUs / cipherUs).toBeLessThanOrEqual(3);
  // What is promised is 1,000 µs at p99; that is printed, since on a busy machine it tells of the machine.
  expect(codecUs).toBeLessThan(1000);
});
