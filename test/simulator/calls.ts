import { isNews, type AgreementWatch } from '../../activities/agreement/poll.js';
import { waitMs } from '../../domain/time/poll-intervals.js';
import { errorRow } from '../../payments-api/error-table.js';
import type { ActionCommand } from '../../domain/agreement/action.js';
import type { Fact, Instant } from '../../domain/facts/fact.js';
import type { Mandate } from '../../domain/agreement/mandate.js';
import type { SendCommandAnswer } from '../../activities/agreement/send-command.js';
import type { Fetched } from '../../domain/facts/snapshot.js';
import type { AgreementSnapshot } from '../../domain/agreement/lifecycle.js';
import type { Answers, Attempt, Call } from '../support/virtual-runtime.js';
import type { Answer, Line } from './wire.js';
import type { Provider, ProviderEvent, Shown } from './provider-interface.js';

export interface Caller {
  uid: string;
  provider: Provider;
  network: Line;
  localNow: () => Instant;
  termsOf: (shown: Shown) => Mandate;
}

export const factOf = (
  { id, type, publishedAtMs, causedBy }: Omit<ProviderEvent, 'atMs'>,
  seen: Pick<Fact, 'receivedAt' | 'source' | 'authenticated'>,
): Fact => ({ id, type, publishedAt: new Date(publishedAtMs).toISOString(), causedBy, ...seen });

const refused = (code: string): Attempt<never> => ({
  stop: { code: 'rejected', providerCodes: [code], means: errorRow(code)?.means },
});

function ask<T, R>(
  { network }: Caller,
  act: (lagMs: number) => T,
  done: (attempt: Attempt<R>) => void,
  then: (got: T) => void,
  isCommand = false,
): void {
  const answered = (answer: Answer<T>): void => {
    if (answer === 'lost') done({ again: 'unavailable' });
    else if ('failed' in answer) done(answer.failed);
    else then(answer.got);
  };
  network.request(act, answered, isCommand);
}

const fetch =
  (caller: Caller): Call<Fetched<AgreementSnapshot>> =>
  (done) => {
    const { uid, provider, localNow, termsOf } = caller;
    const fetchedAt = localNow();
    const readHistory = (lagMs: number) =>
      provider.agreement(lagMs) ? provider.readHistory(lagMs) : undefined;
    ask(caller, readHistory, done, (events) => {
      if (events === undefined) return done({ again: 'not_found' });
      const seen = { receivedAt: localNow(), source: 'history', authenticated: true } as const;
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
              fetchedAt,
              snapshot: { uid, state, causedBy, mandate: termsOf(shown), ...createdAt },
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

const create =
  (caller: Caller): Call<Fetched<AgreementSnapshot>> =>
  (done) => {
    const { uid, provider, localNow, termsOf } = caller;
    const fetchedAt = localNow();
    ask(
      caller,
      () => ({ answer: provider.create(), shown: provider.agreement() }),
      done,
      ({ answer, shown }) => {
        if (answer === 'refused') return done(refused('ZPUNP01'));
        if (answer === 'duplicate' || shown === undefined) return done(refused('ZPAGR00'));
        done({
          ok: { fetchedAt, snapshot: { uid, state: shown.state, mandate: termsOf(shown) }, history: [] },
        });
      },
    );
  };

const watch =
  (
    caller: Caller,
    { snapshotState, answers, pollIntervals }: AgreementWatch,
  ): Call<Fetched<AgreementSnapshot>> =>
  (done) => {
    const nothing = (): void => {
      done({ again: 'nothing_new', afterMs: (attempt) => waitMs(pollIntervals, attempt, 0.5) });
    };
    const whole = (): void => {
      fetch(caller)((attempt) => {
        const isNothing = 'ok' in attempt && !isNews(attempt.ok, { snapshotState, answers });
        if (isNothing) nothing();
        else done(attempt);
      });
    };
    if (answers !== undefined) return whole();
    const read = (lagMs: number): Shown | undefined => caller.provider.agreement(lagMs);
    ask(caller, read, done, (snapshot) => {
      if (snapshot === undefined) done({ again: 'not_found' });
      else if (snapshot.state === snapshotState) nothing();
      else whole();
    });
  };

const adopt =
  (caller: Caller): Call<Fetched<AgreementSnapshot> & { owner: string }> =>
  (done) => {
    fetch(caller)((attempt) => {
      const isAbsent = 'again' in attempt && attempt.again === 'not_found';
      if (isAbsent) done({ again: 'nothing_new', afterMs: (count) => waitMs('adoption', count, 0.5) });
      else done('ok' in attempt ? { ok: { ...attempt.ok, owner: 'acme' } } : attempt);
    });
  };

const find =
  (caller: Caller): Call<Fetched<AgreementSnapshot> | null> =>
  (done) => {
    fetch(caller)((attempt) => {
      done('again' in attempt && attempt.again === 'not_found' ? { ok: null } : attempt);
    });
  };

const amountIn = (request: ActionCommand): number | undefined =>
  request.kind === 'amendment' ? (request.body.changes.payment_terms?.max_amount ?? undefined) : undefined;

const send =
  (caller: Caller, request: ActionCommand, key: string): Call<SendCommandAnswer> =>
  (done) => {
    const amount = amountIn(request);
    const command = (): string => caller.provider.ask(request.kind, key, amount);
    ask(
      caller,
      command,
      done,
      (code) => {
        const means = errorRow(code)?.means;
        if (code === '202' || means === 'already_processing') return done({ ok: { outcome: 'accepted' } });
        if (means === 'amendment_pending') return compare(caller, amount, done);
        fetch(caller)((attempt) => {
          done('ok' in attempt ? { ok: { outcome: 'out_of_place', fetched: attempt.ok, code } } : attempt);
        });
      },
      true,
    );
  };

function compare(
  caller: Caller,
  amount: number | undefined,
  done: (attempt: Attempt<SendCommandAnswer>) => void,
): void {
  ask(
    caller,
    () => caller.provider.amendmentAmount(),
    done,
    (found) => {
      done(found !== undefined && found === amount ? { ok: { outcome: 'accepted' } } : refused('ZPAMN01'));
    },
  );
}

export const answersOf = (caller: Caller, keyNow: () => string): Answers => ({
  createAgreement: () => create(caller),
  findAgreement: () => find(caller),
  lookUpAgreement: () => fetch(caller),
  watchAgreement: (args) => watch(caller, args),
  adoptAgreement: () => adopt(caller),
  sendCommand: ({ command: request }) => send(caller, request, keyNow()),
  reportProgress: () => (done) => {
    done({ ok: [] });
  },
});
