// Compares the recorded exchanges with the files. Every difference is one mismatch, however often it occurred.
import { isObject } from '../../payments-api/answers/values.js';
import { at, brief, itemsOf, textOf } from './json.js';
import type { Contract, Operation, Parameter } from './contract.js';
import type { Exchange } from './recorder.js';
import type { Fault } from './judges.js';

export interface Mismatch {
  /** `-` if no file covers it. */
  file: string;
  operation: string;
  /** The place of the difference: `request`, `query`, `status 404`, `200`, `webhook`, `code`, …, with a JSON pointer if there is one. */
  where: string;
  expected: string;
  met: string;
}

/** `POST /payto/payments/{}/retry` without its method. */
export const nameOf = ({ name }: Operation): string => name.slice(name.indexOf(' ') + 1);

/** The operation of a request in the files. One without ids in its path takes precedence. */
export function operationOf({ operations }: Contract, { method, path }: Exchange): Operation | undefined {
  const fits = operations.filter(({ name, address }) => name.startsWith(`${method} `) && address.test(path));
  return fits.find(({ name }) => !name.includes('{}')) ?? fits[0];
}

export function judgeExchange(contract: Contract, exchange: Exchange): Mismatch[] {
  const operation = operationOf(contract, exchange);
  if (operation === undefined) return [unfiled(exchange)];
  const { file, name } = operation;
  const about =
    (what: string) =>
    ({ pointer, expected, met }: Fault): Mismatch => ({
      ...{ file, operation: name, where: `${what} ${pointer}`.trim(), expected, met },
    });
  const requested =
    exchange.from === 'broken'
      ? []
      : [
          ...requestFaults(operation, exchange).map(about('request')),
          ...queryFaults(operation, exchange).map(about('query')),
        ];
  return [
    ...requested,
    ...answerFaults(operation, exchange, about),
    ...refusedSimulation(operation, exchange),
  ];
}

function unfiled({ from, method, path }: Exchange): Mismatch {
  const place = path.replaceAll(/\/[^/]*\d[^/]*/g, '/{}');
  const expected = 'an operation that a file documents';
  return {
    file: '-',
    operation: `${method} ${place}`,
    where: 'operation',
    expected,
    met: `a ${from} request`,
  };
}

function requestFaults({ request, takesBody }: Operation, { sent, from }: Exchange): Fault[] {
  if (sent === undefined) return [];
  if (request !== undefined) return request(sent);
  const isEmpty = isObject(sent) && Object.keys(sent).length === 0;
  return takesBody || (isEmpty && from === 'client')
    ? []
    : [{ pointer: '', expected: 'no body', met: brief(sent) }];
}

function queryFaults({ parameters }: Operation, { query }: Exchange): Fault[] {
  const inQuery = parameters.filter(({ place }) => place === 'query');
  const missing = inQuery.filter(({ name, required }) => required && !(name in query));
  return [
    ...missing.map(({ name }) => ({ pointer: `/${name}`, expected: 'a required parameter', met: 'nothing' })),
    ...Object.entries(query).flatMap(([name, value]) => {
      const parameter = inQuery.find((one) => one.name === name);
      const pointer = `/${name}`;
      if (parameter === undefined) return [{ pointer, expected: 'no such parameter', met: brief(value) }];
      const faults = parameter.judge?.(valueOf(parameter, value)) ?? [];
      return faults.map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
    }),
  ];
}

function valueOf({ isList, isNumber }: Parameter, value: string): unknown {
  if (isList) return value.split(',');
  return isNumber ? Number(value) : value;
}

function answerFaults(
  { file, name, answers }: Operation,
  { status, body }: Exchange,
  about: (what: string) => (fault: Fault) => Mismatch,
): Mismatch[] {
  const answer =
    answers.get(String(status)) ?? answers.get(`${String(status).slice(0, 1)}XX`) ?? answers.get('default');
  if (answer === undefined) {
    const expected = `one of ${[...answers.keys()].join(', ')}`;
    const codes = itemsOf(at(body, ['errors'])).map(
      (error) => textOf(at(error, ['code'])) ?? textOf(at(error, ['title'])),
    );
    const met = `${status}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`;
    return [{ file, operation: name, where: `status ${status}`, expected, met }];
  }
  if (answer.judge !== undefined) return answer.judge(body).map(about(String(status)));
  if (answer.hasBody || body === undefined) return [];
  return [about(String(status))({ pointer: '', expected: 'no body', met: brief(body) })];
}

function refusedSimulation({ file, name }: Operation, { simulation, status, body }: Exchange): Mismatch[] {
  if (simulation === undefined || status < 300) return [];
  const met = `${status} ${brief(at(body, ['errors', '0', 'detail']))}`;
  return [{ file, operation: name, where: `simulation ${simulation}`, expected: 'to be accepted', met }];
}

/** Judges a webhook by its type, in all forms that the files document. */
export function judgeWebhook(contract: Contract, body: unknown): Mismatch[] {
  const [type = ''] = typesOf(contract, body);
  const sent = contract.webhooks.get(type);
  const about = { file: sent?.file ?? '-', operation: `webhook ${type}` };
  if (sent === undefined)
    return [{ ...about, where: 'type', expected: 'a webhook that a file documents', met: type }];
  return sent
    .judge(body)
    .map(({ pointer, ...fault }) => ({ ...about, where: `webhook ${pointer}`, ...fault }));
}

/** The type in the body. A JSON:API resource names no event, so the result is each type whose schema it matches. */
export function typesOf({ webhooks }: Contract, body: unknown): string[] {
  const type = typeOf(body);
  if (type.includes('.')) return [type];
  const fitting = [...webhooks.values()].filter(({ judge }) => judge(body).length === 0);
  return fitting.length > 0 ? fitting.map((one) => one.type) : [type];
}

function typeOf(body: unknown): string {
  const type = textOf(at(body, ['data', 'type'])) ?? '';
  // Some bodies have a resource under `data`, with the event beside it.
  return textOf(at(body, ['event', 'type'])) ?? (type === '' ? (textOf(at(body, ['type'])) ?? '') : type);
}

/** Judges the entries of an agreement's history by type. */
export function judgeHistory({ events }: Contract, { path, status, body }: Exchange): Mismatch[] {
  if (!path.endsWith('/history') || status !== 200) return [];
  return itemsOf(at(body, ['data'])).flatMap((entry) => {
    const type = textOf(at(entry, ['type'])) ?? '';
    const event = events.get(type);
    const about = { file: event?.file ?? '-', operation: `history ${type}` };
    if (event === undefined)
      return [{ ...about, where: 'type', expected: 'an event that a file documents', met: type }];
    return event
      .judge(entry)
      .map(({ pointer, ...fault }) => ({ ...about, where: `entry ${pointer}`, ...fault }));
  });
}

export function distinct(mismatches: readonly Mismatch[]): Mismatch[] {
  const byWhat = new Map(
    mismatches.map((one) => [
      [one.operation, one.where, one.expected, one.where === 'step' ? one.met : ''].join('\n'),
      one,
    ]),
  );
  return [...byWhat.values()];
}
