// `payto list`: any list of the API, page by page.
import { Option, type Command } from 'commander';
import { pagesOf } from '../api.js';
import { contextOf, printJson, type Context } from '../context.js';
import { usage } from '../failure.js';
import { words } from '../format.js';
import { LISTS, listOf } from '../kinds.js';
import { centsOf, countOf, instantOf } from '../read-arguments.js';
import { createTable } from '../table.js';
import type { Io } from '../io.js';

type Parse = ((text: string) => string) | undefined;
const time: Parse = (text) => instantOf(text);
const money: Parse = (text) => centsOf(text);

/** Each filter, as the API names it. The API refuses those that a list does not have. */
const FILTERS: readonly (readonly [name: string, value: string, description: string, parse?: Parse])[] = [
  ['state', 'state', 'only in this state'],
  ['awaiting', 'what', 'only resources that wait for this'],
  ['attention', 'flag', 'only with this flag; `any`: with at least one'],
  ['connection', 'id', 'only of this connection'],
  ['client', 'client-id', 'only what this client initiates'],
  ['agreement', 'uid', 'payments of this agreement'],
  ['payment', 'uid', 'refunds of this payment'],
  ['reference', 'text', 'payments with this reference'],
  ['unanswered', '1h|24h|4d', 'agreements whose payer has not answered for so long'],
  ['amount-min', 'dollars', 'at least this amount', money],
  ['amount-max', 'dollars', 'at most this amount', money],
  ['created-from', 'time', 'requested at this time or later', time],
  ['created-until', 'time', 'requested before this time', time],
  ['updated-from', 'time', 'changed at this time or later', time],
  ['updated-until', 'time', 'changed before this time', time],
  ['settled-from', 'time', 'settled at this time or later', time],
  ['settled-until', 'time', 'settled before this time', time],
  ['since', 'time', 'events that were stored at this time or later', time],
  ['from', 'time', 'audit and entries: at this time or later', time],
  ['until', 'time', 'audit and entries: before this time', time],
  ['type', 'types', 'events: only these types, such as payment.*'],
  ['resource', 'uid', 'events of this resource'],
  ['outcome', 'outcome', 'rows and deliveries with this outcome'],
  ['action', 'action', 'audit: only this action'],
  ['principal', 'name', 'audit: only of this principal'],
  ['target', 'path', 'audit: only of this path'],
  ['sort', 'order', 'created, amount or settled; -created: latest first'],
];

type ListFlags = Readonly<Record<string, string | undefined>> & { limit?: number; metadata?: string };

/** Adds the command. */
export function addList(program: Command, io: Io): void {
  const command = program
    .command('list <kind> [uid]')
    .summary('print a list')
    .description(
      `Prints a list: ${Object.keys(LISTS).join(', ')}.\n` +
        'rows, entries and deliveries need the uid of their batch, float account or webhook endpoint.\n' +
        'A time is 2h (ago), 2026-11-12 (its start here) or 2026-11-12T09:30:00Z.',
    );
  for (const [name, value, description, parse] of FILTERS) {
    const option = new Option(`--${name} <${value}>`, description);
    command.addOption(parse === undefined ? option : option.argParser(parse));
  }
  command
    .option('--metadata <key=value>', 'only with exactly this metadata')
    .option('--limit <count>', 'print at most so many', countOf)
    .action(async (kind: string, uid: string | undefined, flags: ListFlags, self: Command) =>
      printList(contextOf(self, io), kind, uid, flags),
    );
}

async function printList(
  context: Context,
  kind: string,
  uid: string | undefined,
  flags: ListFlags,
): Promise<void> {
  const { path, of, columnsFor } = listOf(kind);
  if ((of === undefined) !== (uid === undefined))
    throw usage(
      of === undefined
        ? `expected no uid for the list ${kind}`
        : `expected the uid: payto list ${kind} <uid>`,
    );
  const api = await context.api();
  const table = createTable(columnsFor(context.locale), context.io.columns);
  let left = flags.limit ?? Infinity;
  let count = 0;
  const query = { ...queryOf(flags), ...(left < 100 && { per_page: left }) };
  for await (const page of pagesOf(api, { path, ...(of && uid && { of: { [of]: uid } }), query })) {
    const rows = page.slice(0, left);
    if (context.isJson) for (const row of rows) await printJson(context, row);
    else if (rows.length > 0) await context.io.out(table.page(rows));
    count += rows.length;
    left -= rows.length;
    if (left <= 0) break;
    // The feed of events has always a next page.
    if (page.length === 0) break;
  }
  if (count === 0 && !context.isJson) context.io.note(`No ${words(kind)} match.`);
}

/** Flags in camel case as parameters in snake case. */
function queryOf(flags: ListFlags): Record<string, string | undefined> {
  const query = FILTERS.map(([name]) => {
    const property = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    return [name.replaceAll('-', '_'), flags[property]] as const;
  });
  return { ...Object.fromEntries(query), ...metadataOf(flags.metadata) };
}

function metadataOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw usage('expected --metadata key=value');
  return { metadata_key: key, metadata_value: value };
}
