import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { codecOf, keyringOf } from '../support/sealing/payloads.js';
import type { Payload } from '../../sealing/sealed-payload.js';

const TIMES = 1000;
const ROUNDS = 8;
const MOST_US = 1000;
const [{ key }] = keyringOf('k1');
const data = randomBytes(2000);
const payload: Payload = { metadata: { encoding: Buffer.from('json/plain') }, data };
const codec = codecOf();

async function throughTheCodec(): Promise<void> {
  const [opened] = await codec.decode(await codec.encode([payload]));
  if (opened?.data?.length !== data.length) throw new Error('expected the sealed data to open unchanged');
}

function throughTheCipher(): void {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([cipher.update(data), cipher.final()]);
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAuthTag(cipher.getAuthTag());
  const opened = Buffer.concat([decipher.update(sealed), decipher.final()]);
  if (opened.length !== data.length) throw new Error('expected the encrypted data to open unchanged');
}

async function cpuMicroseconds(work: () => Promise<void> | void): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < TIMES; time += 1) await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / TIMES;
}

test('sealing and opening 2 kB costs at most 1 ms and four times the cipher', async () => {
  await cpuMicroseconds(throughTheCodec);
  let [codecUs, cipherUs] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round += 1) {
    codecUs = Math.min(codecUs, await cpuMicroseconds(throughTheCodec));
    cipherUs = Math.min(cipherUs, await cpuMicroseconds(throughTheCipher));
  }
  console.log(
    `2 kB sealed and opened: ${codecUs.toFixed(0)} µs, the cipher alone ${cipherUs.toFixed(0)} µs of CPU`,
  );
  expect(codecUs).toBeLessThanOrEqual(MOST_US);
  expect(codecUs / cipherUs).toBeLessThanOrEqual(4);
});
