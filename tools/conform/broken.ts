// Breaks each successful request in all documented ways, so that the refusals are checked too.
import { isObject } from '../../payments-api/answers/values.js';
import { nameOf, operationOf } from './verdict.js';
import type { AddFault } from '../../sandbox/control/requests.schema.js';
import type { Contract, Operation } from './contract.js';
import type { Exchange } from './recorder.js';
import type { Plain, World } from './world.js';

const UNKNOWN_ID = '0195f1f0-7a11-7c00-8a00-000000000000';
const FAULTS = [
  ['429', 'error_429'],
  ['500', 'error_500_before'],
] as const;

/** Sends the broken requests. Their exchanges are recorded like all others. */
export async function breakRequests(world: World, contract: Contract): Promise<void> {
  const { accessToken: narrow } = await world.connect('public');
  for (const [operation, exchange] of firstOfEach(world.exchanges, contract)) {
    for (const request of spoilt(operation, exchange, narrow))
      await world.send({ ...request, from: 'broken' });
    for (const [status, fault] of FAULTS) {
      if (!operation.answers.has(status)) continue;
      await underFault(world, { on: '*', do: fault, times: 1 }, plainOf(exchange));
    }
  }
}

function firstOfEach(exchanges: readonly Exchange[], contract: Contract): Map<Operation, Exchange> {
  const first = new Map<Operation, Exchange>();
  for (const exchange of exchanges.filter(({ status }) => status < 300)) {
    const operation = operationOf(contract, exchange);
    if (operation !== undefined && !first.has(operation)) first.set(operation, exchange);
  }
  return first;
}

async function underFault(world: World, fault: AddFault, request: Plain): Promise<void> {
  world.control.addFault(fault);
  await world.send({ ...request, from: 'broken' });
  world.control.clearFaults();
}

function spoilt(operation: Operation, exchange: Exchange, narrowToken: string): Plain[] {
  const request = plainOf(exchange);
  const { sent } = exchange;
  const elsewhere = withoutIds(operation, exchange);
  return [
    { ...request, token: 'no-such-token' },
    // These two need no scope.
    ...(/\/(ping|user)$/.test(exchange.path) ? [] : [{ ...request, token: narrowToken }]),
    ...(elsewhere === exchange.path ? [] : [{ ...request, path: elsewhere }]),
    ...(isObject(sent)
      ? [
          { ...request, body: '{' },
          { ...request, body: JSON.stringify({ ...sent, nonsense: 1 }) },
        ]
      : []),
    ...(isObject(sent) && Object.keys(sent).length > 0 ? [{ ...request, body: '{}' }] : []),
    ...(operation.parameters.some(({ name }) => name === 'per_page')
      ? [{ ...request, path: `${exchange.path}?per_page=0` }]
      : []),
    // Repeated: the uid is a duplicate, or the state has changed.
    ...(exchange.method === 'POST' ? [request] : []),
  ];
}

function plainOf({ method, path, query, sent }: Exchange): Plain {
  const written = new URLSearchParams(query).toString();
  const body = sent === undefined ? undefined : JSON.stringify(sent);
  return { method, path: written === '' ? path : `${path}?${written}`, body };
}

/** The same path with unknown ids. */
function withoutIds(operation: Operation, exchange: Exchange): string {
  const steps = nameOf(operation).split('/');
  const place = exchange.path.split('/');
  return place.map((step, index) => (steps[index] === '{}' ? UNKNOWN_ID : step)).join('/');
}
