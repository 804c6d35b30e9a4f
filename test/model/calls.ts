// The calls that an agreement's workflow makes, as the activities make them (activities/*.ts), over the model's network: each
// attempt is one or more requests, and what its answers mean. Retried by whoever runs them.
import { isBefore } from '../../domain/fact.js';
import type { Ask } from '../../domain/action.js';
import type { Fact, Instant } from '../../domain/fact.js';
import type { Mandate } from '../../domain/mandate.js';
import type { AgreementLook } from '../../domain/snapshot.js';
import type { CallFailure } from '../../workflows/entity/call-failure.js';
import type { Answer, Network } from './network.js';
import type { Provider, ProviderEvent, Shown } from './provider-model.js';

/** `again`: nobody knows, or there is nothing yet; the next attempt may tell. `stop`: it will not. */
export type Attempt<T> = { ok: T } | { again: 'lost' | 'not_found' | 'nothing_new' } | { stop: CallFailure };
export type Call<T> = (done: (attempt: Attempt<T>) => void) => void;

export type ActAnswer =
  { outcome: 'accepted' } | { outcome: 'look'; look: AgreementLook; code: string; title?: string };

export interface Caller {
  uid: string;
  provider: Provider;
  network: Network;
  /** Our clock, which need not be the provider's. */
  ourNow: () => Instant;
  termsOf: (shown: Shown) => Mandate;
}

export const factOf = (
  { id, type, publishedAtMs, causedBy }: Omit<ProviderEvent, 'atMs'>,
  seen: Pick<Fact, 'receivedAt' | 'source' | 'authenticated'>,
): Fact => ({ id, type, publishedAt: new Date(publishedAtMs).toISOString(), causedBy, ...seen });

const refused = (code: string): Attempt<never> => ({ stop: { code: 'rejected', providerCodes: [code] } });
const FORBIDDEN: Attempt<never> = { stop: { code: 'forbidden', providerCodes: [] } };

/** Sends one request and goes on with what it was answered; without an answer the attempt is over. */
function ask<T, R>(
  { network }: Caller,
  act: (lagMs: number) => T,
  done: (attempt: Attempt<R>) => void,
  then: (got: T) => void,
  isCommand = false,
): void {
  const answered = (answer: Answer<T>): void => {
    if (answer === 'lost') done({ again: 'lost' });
    else if (answer === 'forbidden') done(FORBIDDEN);
    else then(answer.got);
  };
  network.request(act, answered, isCommand);
}

/** The history, then the agreement (activities/look.ts). */
export const look =
  (caller: Caller): Call<AgreementLook> =>
  (done) => {
    const { uid, provider, ourNow, termsOf } = caller;
    const lookedAt = ourNow();
    const readHistory = (lagMs: number) =>
      provider.agreement(lagMs) ? provider.readHistory(lagMs) : undefined;
    ask(caller, readHistory, done, (events) => {
      if (events === undefined) return done({ again: 'not_found' });
      const seen = { receivedAt: ourNow(), source: 'history', authenticated: true } as const;
      const history = events.map((event) => factOf(event, seen)).toReversed();
      ask(
        caller,
        (lagMs) => provider.agreement(lagMs),
        done,
        (shown) => {
          if (shown === undefined) return done({ again: 'not_found' });
          const { state, causedBy } = shown;
          const createdAt = createdIn(provider);
          done({
            ok: {
              lookedAt,
              agreement: { uid, state, causedBy, mandate: termsOf(shown), ...createdAt },
              history,
            },
          });
        },
      );
    });
  };

function createdIn(provider: Provider): { createdAt?: Instant } {
  const atMs = provider.createdAtMs();
  return atMs === undefined ? {} : { createdAt: new Date(atMs).toISOString() };
}

export const create =
  (caller: Caller): Call<AgreementLook> =>
  (done) => {
    const { uid, provider, ourNow, termsOf } = caller;
    const lookedAt = ourNow();
    ask(caller, () => ({ answer: provider.create(), shown: provider.agreement() }), done, ({ answer, shown }) => {
      if (answer === 'refused') return done(refused('ZPUNP01'));
      if (answer === 'duplicate' || shown === undefined) return look(caller)(done);
      done({ ok: { lookedAt, agreement: { uid, state: shown.state, mandate: termsOf(shown) }, history: [] } });
    });
  }; // prettier-ignore

export interface Watched {
  shown: string;
  answers?: { types: readonly string[]; seen: readonly string[]; after?: Instant | undefined };
}

export const watch =
  (caller: Caller, { shown, answers }: Watched): Call<AgreementLook> =>
  (done) => {
    const whole = (): void => look(caller)((attempt) => {
      const isNews = !('ok' in attempt) || attempt.ok.agreement.state !== shown ||
        attempt.ok.history.some((fact) => isAnswer(fact, answers));
      done(isNews ? attempt : { again: 'nothing_new' });
    });
    if (answers !== undefined) return whole();
    ask(caller, (lagMs) => caller.provider.agreement(lagMs), done, (glance) => {
      if (glance === undefined) done({ again: 'not_found' });
      else if (glance.state === shown) done({ again: 'nothing_new' });
      else whole();
    });
  }; // prettier-ignore

const isAnswer = ({ id, publishedAt, type }: Fact, answers: Watched['answers']): boolean =>
  answers?.types.includes(type) === true && !answers.seen.includes(id) &&
  !(answers.after !== undefined && isBefore(publishedAt, answers.after)); // prettier-ignore

/** What a 422 can mean after an attempt whose answer was lost (facts 7.4, 7.5). */
const UNDER_WAY = ['ZPSUS01', 'ZPCAN01', 'ZPREA01', 'ZPARE01'];

export const amountIn = (request: Ask): number | undefined =>
  request.kind === 'amendment' ? (request.body.changes.payment_terms?.max_amount ?? undefined) : undefined;

/** @param arrived is called when it is at the provider. */
export const act =
  (caller: Caller, key: string, request: Ask, arrived: () => void): Call<ActAnswer> =>
  (done) => {
    const amount = amountIn(request);
    const command = (): string => {
      arrived();
      return caller.provider.ask(request.kind, key, amount);
    };
    ask(caller, command, done, (code) => {
      if (code === '202' || UNDER_WAY.includes(code)) return done({ ok: { outcome: 'accepted' } });
      if (code === 'ZPAMN01') return compare(caller, amount, done);
      look(caller)((attempt) => {
        done('ok' in attempt ? { ok: { outcome: 'look', look: attempt.ok, code } } : attempt);
      });
    }, true);
  }; // prettier-ignore

/** One amendment at a time: the one in progress is ours if it changes what we asked to change. */
function compare(caller: Caller, amount: number | undefined, done: (attempt: Attempt<ActAnswer>) => void): void {
  ask(caller, () => caller.provider.amendmentAmount(), done, (found) => {
    done(found !== undefined && found === amount ? { ok: { outcome: 'accepted' } } : refused('ZPAMN01'));
  });
} // prettier-ignore
