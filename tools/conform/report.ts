// The findings of the check, as tables for a terminal.
import Table from 'cli-table3';
import { judgeCodes } from './codes.js';
import { OUT_OF_SCOPE, withoutDeviations } from './deviations.js';
import {
  distinct,
  judgeExchange,
  judgeHistory,
  judgeWebhook,
  nameOf,
  operationOf,
  typesOf,
  type Mismatch,
} from './verdict.js';
import type { Contract } from './contract.js';
import type { Exchange } from './recorder.js';

/** The exchanges between our client, the sandbox and the receiver. */
export interface Talk {
  exchanges: readonly Exchange[];
  webhooks: readonly unknown[];
  /** Failed steps. */
  failures: readonly Mismatch[];
}

export interface Report {
  text: string;
  /** True if there are no mismatches and no unused deviations. */
  isClean: boolean;
}

export function reportOn(contract: Contract, talk: Talk): Report {
  const codes = judgeCodes(contract);
  const found = distinct([
    ...talk.failures,
    ...talk.exchanges.flatMap((exchange) => judgeExchange(contract, exchange)),
    ...talk.exchanges.flatMap((exchange) => judgeHistory(contract, exchange)),
    ...talk.webhooks.flatMap((body) => judgeWebhook(contract, body)),
    ...notDone(contract, talk),
    ...codes.mismatches,
  ]);
  const { open, unused } = withoutDeviations(found);
  const text = [
    operationTable(contract, talk, open),
    webhookTable(contract, talk, open),
    `codes: ${codes.reasons} reason codes and ${codes.refusals} refusal codes in the files`,
    ...open.map(inFull),
    ...unused.map(({ operation, where }) => `unused deviation: ${operation}, ${where}: remove its row`),
    `${open.length} mismatches, ${found.length - open.length} justified deviations, ${unused.length} unused`,
  ].join('\n');
  return { text, isClean: open.length === 0 && unused.length === 0 };
}

/** Operations and webhooks of the files that never succeeded here. */
function notDone(contract: Contract, { exchanges, webhooks }: Talk): Mismatch[] {
  const done = new Set(
    exchanges.filter(({ status }) => status < 300).map((exchange) => operationOf(contract, exchange)),
  );
  const types = new Set(webhooks.flatMap((body) => typesOf(contract, body)));
  const inScope = contract.operations.filter(
    (operation) => !OUT_OF_SCOPE.some((start) => isUnder(nameOf(operation), start)),
  );
  return [
    ...inScope
      .filter((operation) => !done.has(operation))
      .map(({ file, name }) => ({
        ...{ file, operation: name, where: 'operation', met: 'none' },
        expected: 'a successful call, by our client or a simulation',
      })),
    ...[...contract.webhooks.values()]
      .filter(({ type }) => !types.has(type))
      .map(({ file, type }) => ({
        ...{
          file,
          operation: `webhook ${type}`,
          where: 'type',
          expected: 'the sandbox sends it',
          met: 'nothing',
        },
      })),
  ];
}

const isUnder = (path: string, start: string): boolean => path === start || path.startsWith(`${start}/`);

const PLAIN = {
  style: { head: [], border: [] },
  chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
};

function operationTable(contract: Contract, { exchanges }: Talk, open: readonly Mismatch[]): string {
  const table = new Table({ head: ['operation', 'requests', 'answers', 'statuses', 'mismatches'], ...PLAIN });
  for (const operation of contract.operations) {
    const about = exchanges.filter((exchange) => operationOf(contract, exchange) === operation);
    if (about.length === 0) continue;
    const statuses = [...new Set(about.map(({ status }) => status))].sort().join(' ');
    const requests = about.filter(({ from }) => from !== 'broken').length;
    table.push([operation.name, requests, about.length, statuses, counted(open, operation.name)]);
  }
  return table.toString();
}

function webhookTable(contract: Contract, talk: Talk, open: readonly Mismatch[]): string {
  const table = new Table({ head: ['webhook', 'sent', 'mismatches'], ...PLAIN });
  const types = new Set([
    ...contract.webhooks.keys(),
    ...talk.webhooks.flatMap((body) => typesOf(contract, body)),
  ]);
  for (const type of types) {
    const sent = talk.webhooks.filter((body) => typesOf(contract, body).includes(type)).length;
    table.push([type, sent, counted(open, `webhook ${type}`)]);
  }
  return table.toString();
}

const counted = (open: readonly Mismatch[], operation: string): number =>
  open.filter((one) => one.operation === operation).length;

const inFull = ({ file, operation, where, expected, met }: Mismatch): string =>
  `${file}: ${operation}: ${where}: expected ${expected}; found ${met}`;
