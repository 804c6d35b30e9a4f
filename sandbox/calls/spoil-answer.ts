// How each fault changes an answer, as a table. Each entry also states the status for the ledger.
import type { AnswerAction } from '../faults/actions.schema.js';
import type { Fault } from '../faults/rule.schema.js';
import { Refusal } from '../http/refusal.js';
import {
  jsonAnswer,
  realResponse,
  refusalResponse,
  type RealAnswer,
  type RequestContext,
} from '../http/responses.js';
import { hugeBody, cut, lie, patience, trickled } from './slow-answers.js';

/** A placeholder for the answer of a call that was not carried out. */
export const NO_ANSWER: RealAnswer = jsonAnswer(200, null);

interface Spoiler {
  /** The status in the ledger; `real` is that of the unspoiled answer. */
  status: number | 'cut' | 'real' | ((fault: Fault) => number);
  answer(c: RequestContext, fault: Fault, real: RealAnswer): Response | Promise<Response>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const error500: Spoiler = { status: 500, answer: (c) => c.body(null, 500) };
const cutOff: Spoiler = { status: 'cut', answer: cut };

const SPOILERS: Record<AnswerAction, Spoiler> = {
  error_500_before: error500,
  error_500_after_commit: error500,
  cut_before_commit: cutOff,
  cut_after_commit: cutOff,
  error_503: {
    status: 503,
    answer: (c, fault) => refusalResponse(c, tryLater(fault, 503, 'Service Unavailable')),
  },
  error_429: {
    status: 429,
    answer: (c, fault) => refusalResponse(c, tryLater(fault, 429, 'Too Many Requests')),
  },
  redirect: {
    status: ({ status = 307 }) => status,
    answer: (c, { status = 307, to = '' }) => {
      const { pathname, search } = new URL(c.req.url);
      return c.body(null, status, { location: new URL(`${pathname}${search}`, to).href });
    },
  },
  slow: {
    status: 'real',
    async answer(c, { delay_ms = 0 }, real) {
      await patience(c, delay_ms);
      return realResponse(c, real);
    },
  },
  trickle: {
    status: 'real',
    answer: (c, { pause_ms = 0 }, real) =>
      c.body(trickled(c, real.text, pause_ms), real.status, real.headers),
  },
  // Half of a JSON text is never valid JSON. An empty body is replaced by a fragment.
  malformed_json: {
    status: 'real',
    answer: (c, _, { text, status }) =>
      c.body(text.slice(0, Math.ceil(text.length / 2)) || '{"data":', status, JSON_TYPE),
  },
  wrong_content_type: {
    status: 200,
    answer: (c) => c.html('<!doctype html><title>Back soon</title><h1>We are making things better</h1>', 200),
  },
  huge_body: {
    status: 'real',
    answer: (c, { bytes = 0 }, real) => c.body(hugeBody(bytes), real.status, JSON_TYPE),
  },
  lying_content_length: { status: 'real', answer: (c, { by_bytes = 0 }, real) => lie(c, real, by_bytes) },
};

/** While one of these answers is in flight, the webhooks of its call may arrive first. */
const LINGERING: readonly string[] = ['slow', 'trickle', 'huge_body'];
export const lingers = (fault: Fault): boolean => LINGERING.includes(fault.do);

function isAnswerAction(action: string): action is AnswerAction {
  return Object.hasOwn(SPOILERS, action);
}

function spoilerOf({ do: action }: Fault): Spoiler {
  if (isAnswerAction(action)) return SPOILERS[action];
  throw new Error(`fault ${action} does not apply to answers`);
}

/** The status in the ledger for a spoiled call. */
export function spoiltStatus(fault: Fault, real: RealAnswer): number | 'cut' {
  const { status } = spoilerOf(fault);
  if (typeof status === 'function') return status(fault);
  return status === 'real' ? real.status : status;
}

export function spoiltAnswer(
  c: RequestContext,
  fault: Fault,
  real: RealAnswer,
): Response | Promise<Response> {
  return spoilerOf(fault).answer(c, fault, real);
}

/** Retry-After uses the wall clock, as callers do. */
function tryLater(
  { retry_after_seconds: after = null, retry_after_as: form }: Fault,
  status: 429 | 503,
  title: string,
) {
  const date = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();
  const value = after === null ? undefined : form === 'date' ? date(after) : String(after);
  const item = { title, detail: 'Try again later' };
  return new Refusal(status, [item], value === undefined ? {} : { 'Retry-After': value });
}
