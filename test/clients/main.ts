// `npm run test:clients`: generates clients in other languages from the API document, and runs an example with each against the product.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from './go.js';
import { leftOut, namesInDocument } from './left-out.js';
import { startProduct } from './product.js';
import { python } from './python.js';
import type { Generated, GeneratedClient } from './generated-client.js';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = join(ROOT, 'client', 'openapi.json');

const print = (line: string): void =>
  console.log(`+ ${(performance.now() / 1000).toFixed(1).padStart(5)} s  ${line}`);

interface Ready extends Generated {
  name: string;
}

async function main(): Promise<void> {
  const clients = (await Promise.all([python, go].map(unlessLacking))).flat();
  if (clients.length === 0) return;
  const generating = Promise.all(clients.map(generated));
  const [product, ready] = await Promise.allSettled([startProduct(print), generating]);
  try {
    if (product.status === 'rejected') throw product.reason;
    print('the product is running');
    if (ready.status === 'rejected') throw ready.reason;
    const flows = ready.value.map((client) => ran(client, product.value.environment));
    await product.value.guard(Promise.all(flows));
  } finally {
    if (product.status === 'fulfilled') await product.value.stop();
  }
  print('done');
}

async function unlessLacking(client: GeneratedClient): Promise<GeneratedClient[]> {
  const lack = await client.lack();
  if (lack === undefined) return [client];
  print(`${client.name}: skipped, because ${lack}`);
  return [];
}

async function generated(client: GeneratedClient): Promise<Ready> {
  const result = await client.generate(DOCUMENT, join(ROOT, '.data', 'clients', client.name.toLowerCase()));
  const document = namesInDocument(await readFile(DOCUMENT, 'utf8'));
  const lost = leftOut(document, result.names);
  if (lost.length > 0) throw new Error(`the ${client.name} client lacks:\n${lost.join('\n')}`);
  print(
    `${client.name}: generated and compiled, with all ${document.operations.length} operations and ${document.schemas.length} schemas`,
  );
  return { name: client.name, ...result };
}

async function ran({ name, runFlow }: Ready, environment: Readonly<Record<string, string>>): Promise<void> {
  const output = await runFlow(environment);
  for (const line of output.trim().split('\n')) print(`${name}: ${line}`);
}

await main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
