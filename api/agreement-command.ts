// What the commands on an agreement share: a key, a hold, and the agreement with what is under way as the answer.
// In:  api/routes/*-agreement.ts. Out: api/temporal/door.ts.
import { agreementAnswer } from './answers/agreement.js';
import { bodyOf, json, needsKey, optionalBody, problems } from './contract.js';
import { jsonBody, optionalJsonBody } from './body.js';
import { neededKey } from './idempotency.js';
import { notFound } from './errors.js';
import { watched } from './wait.js';
import { AgreementAnswer } from './schemas/agreement.schema.js';
import { IdempotencyHeaders, UidParams, WaitQuery } from './schemas/parameters.schema.js';
import type { z } from 'zod';
import type { ActionRequest } from '../domain/action.js';
import type { AgreementView } from '../workflows/agreement/contract.js';
import type { ApiDependencies } from './dependencies.js';

const COMMAND_REQUEST = { params: UidParams, query: WaitQuery, headers: IdempotencyHeaders };

const anyCommand = {
  method: 'post' as const,
  tags: ['agreements'],
  ...needsKey('write'),
  responses: {
    202: json('Taken, now or before; its outcome comes later.', AgreementAnswer),
    ...problems(400, 401, 403, 404, 409, 413, 415, 422, 503),
  },
};

/** The route of a command, but for its own words. */
export const commandRoute = <const Path extends string, Body extends z.ZodType>(path: Path, body: Body) => ({
  ...anyCommand,
  path,
  middleware: jsonBody,
  request: { ...COMMAND_REQUEST, body: bodyOf(body) },
});

/** The route of a command that says all by its path. */
export const plainCommandRoute = <const Path extends string>(path: Path) => ({
  ...anyCommand,
  path,
  middleware: optionalJsonBody,
  request: { ...COMMAND_REQUEST, body: optionalBody },
});

interface Asked {
  uid: string;
  /** The Idempotency-Key header. */
  key: string | undefined;
  ask: ActionRequest['ask'];
  wait: number | undefined;
  signal: AbortSignal;
}

/** Has it taken, holds the answer as long as the caller likes, and answers the agreement. */
export async function command(
  { temporal, temporalUi, clock }: ApiDependencies,
  { uid, key: given, ask, wait, signal }: Asked,
) {
  const key = neededKey(given);
  await temporal.agreements.act(uid, { key, ask });
  const isOver = ({ pending }: AgreementView): boolean => !pending.some((action) => action.key === key);
  const first = await temporal.agreements.view(uid);
  if (first === undefined) throw notFound('an agreement');
  const read = async () => (await temporal.agreements.view(uid)) ?? first;
  const view = await watched(first, { read, isOver, seconds: wait, signal, clock });
  return { data: agreementAnswer(temporalUi, view) };
}
