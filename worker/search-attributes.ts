// Ensures that the server has our search attributes before any workflow uses them.
import { setTimeout } from 'node:timers/promises';
import { SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.js';
import type { Client } from '@temporalio/client';

/** The server's number for each type that we use (temporal.api.enums.v1.IndexedValueType), and the CLI's name. */
const TYPES = {
  KEYWORD: { number: 2, name: 'Keyword' },
  DATETIME: { number: 6, name: 'Datetime' },
  KEYWORD_LIST: { number: 7, name: 'KeywordList' },
} as const;

/** The time that a server may take until a new attribute is usable. */
const USABLE_WITHIN_MS = 30_000;
const ASK_EVERY_MS = 250;

/** The server does not let us register the attributes. The message contains the commands for a person. */
export class MissingSearchAttributes extends Error {
  override readonly name = 'MissingSearchAttributes';
}

/**
 * Registers missing attributes, and waits until they are usable.
 * @throws MissingSearchAttributes, or an error of Temporal's library if the namespace does not exist.
 */
export async function ensureSearchAttributes(client: Client): Promise<void> {
  const missing = await missingAt(client);
  if (missing.length === 0) return;
  const { namespace } = client.options;
  const searchAttributes = Object.fromEntries(missing.map(({ name, type }) => [name, TYPES[type].number]));
  try {
    await client.connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (cause) {
    const left = await missingAt(client);
    if (left.length > 0) throw new MissingSearchAttributes(instructions(namespace, left), { cause });
  }
  await usable(client, missing);
}

/** A server may list an attribute before all its parts know it. An accepted query shows that they do. */
async function usable(client: Client, attributes: readonly Attribute[]): Promise<void> {
  const query = attributes.map(({ name }) => `${name} IS NOT NULL`).join(' OR ');
  for (const until = Date.now() + USABLE_WITHIN_MS; ; await setTimeout(ASK_EVERY_MS)) {
    try {
      await client.workflow.count(query);
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

type Attribute = (typeof SEARCH_ATTRIBUTES)[number];

async function missingAt(client: Client): Promise<Attribute[]> {
  const { namespace } = client.options;
  const { customAttributes } = await client.connection.operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTES.filter(({ name }) => customAttributes?.[name] === undefined);
}

function instructions(namespace: string, missing: readonly Attribute[]): string {
  const commands = missing.map(
    ({ name, type }) =>
      `  temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${TYPES[type].name}`,
  );
  return [
    'The Temporal server lacks search attributes, and did not let us register them. Run:',
    ...commands,
  ].join('\n');
}
