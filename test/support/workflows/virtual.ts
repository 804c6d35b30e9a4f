// Stories in virtual time, over the activities that a worker would be given: what callers and the provider send is handled as
// each workflow.ts does, and what a test scripts answers at once, with an error, or when the test lets it.
import { randomUUID } from 'node:crypto';
import { ActivityFailure, ApplicationFailure, RetryState, defaultPayloadConverter } from '@temporalio/common';
import { timelineOf } from '../../../domain/timeline.js';
import { assertLookable, assertResolvable, withResolution } from '../../../workflows/agreement/attention.js';
import { assertAskable, withRequest } from '../../../workflows/agreement/commands.js';
import { assertAdmissible, startPayment } from '../../../workflows/agreement/payments.js';
import * as agreements from '../../../workflows/agreement/state.js';
import { AGREEMENT } from '../../../workflows/agreement/steps.js';
import { viewOf as agreementView } from '../../../workflows/agreement/view.js';
import {
  assertOpen,
  generationBeyond,
  openRound,
  takeConsent,
} from '../../../workflows/connection/consent.js';
import * as connections from '../../../workflows/connection/state.js';
import { CONNECTION } from '../../../workflows/connection/steps.js';
import { accessOf, viewOf as connectionView } from '../../../workflows/connection/view.js';
import { CALL_OPTIONS } from '../../../workflows/entity/calls.js';
import { callFailureOf } from '../../../workflows/entity/failure.js';
import { follow } from '../../../workflows/entity/loop.js';
import * as payments from '../../../workflows/payment/state.js';
import { PAYMENT } from '../../../workflows/payment/steps.js';
import { viewOf as paymentView } from '../../../workflows/payment/view.js';
import { createAgenda } from '../../model/agenda.js';
import { createVirtualRuntime, msOf } from '../virtual-runtime.js';
import { A_MANDATE, anOrder, only } from './provider.js';
import type { Activities } from '../../../activities/index.js';
import type { ActionRequest } from '../../../domain/action.js';
import type { Fact, Instant } from '../../../domain/fact.js';
import type { AttentionResolution } from '../../../domain/resolution.js';
import type { AgreementInput, PaymentRequest } from '../../../workflows/agreement/contract.js';
import type {
  ConsentAnswer,
  ConsentAsked,
  Revocation,
  SealedTokens,
} from '../../../workflows/connection/contract.js';
import type { Awaited, Cell, Story } from '../../../workflows/entity/loop.js';
import type { Child, Runtime } from '../../../workflows/entity/runtime.js';
import type { AnyStep } from '../../../workflows/entity/step.js';
import type { PaymentInput } from '../../../workflows/payment/contract.js';
import type { Answers, Attempt, Call, VirtualRuntime } from '../virtual-runtime.js';

/** A workflow's input, with the state that it carries as it is. */
type Over<Input, State> = Partial<Omit<Input, 'carried'>> & { carried?: State };

export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;
const BEGIN_MS = Date.UTC(2026, 10, 1);

export type Scene = ReturnType<typeof inVirtualTime>;

/** @param given activities; one that is not given fails as unexpected. */
export function inVirtualTime(given: Partial<Activities>) {
  const agenda = createAgenda(BEGIN_MS);
  const now = (): Instant => new Date(agenda.nowMs()).toISOString();
  const clock = {
    now,
    after: (delayMs: number, run: () => void) => {
      agenda.after(delayMs, run);
    },
  };
  /** Every attempt of an activity, by name. */
  const calls: string[] = [];
  const lives: { settle(): Promise<void> }[] = [];
  const begun = new Set<string>();
  const answers = answersOf(only(given), now, calls);
  const settle = async (): Promise<void> => {
    for (const life of lives) await life.settle();
  };
  agenda.settleBy(settle);

  function live<State extends Awaited, Step extends AnyStep>(
    story: Story<State, Step>,
    initial: State,
    carriedOver: (state: State) => State,
  ) {
    const startChild = ({ workflowId }: Child): Promise<boolean> => {
      const isFree = !begun.has(workflowId);
      begun.add(workflowId);
      return Promise.resolve(isFree);
    };
    const begin = (): VirtualRuntime => createVirtualRuntime(clock, answers, startChild);
    const life = { state: initial, runs: 0, isOver: false, fault: undefined as Error | undefined };
    let changes = 0;
    const change = (by: (state: State) => State): void => {
      changes += 1;
      life.state = by(life.state);
    };
    const cell: Cell<State> = { read: () => life.state, change, changes: () => changes };
    let runtime = begin();
    const run = (): void => {
      life.runs += 1;
      follow(story, cell, runtime).then(
        (outcome) => {
          if (outcome === 'over') return void (life.isOver = true);
          life.state = overJson(carriedOver(life.state));
          runtime = begin();
          run();
        },
        (error: unknown) => void (life.fault = error instanceof Error ? error : new Error(String(error))),
      );
    };
    run();
    const own = async (): Promise<void> => {
      for (let settled: Runtime | undefined; runtime !== settled;) {
        settled = runtime;
        await runtime.settle();
      }
      if (life.fault !== undefined) throw life.fault;
    };
    lives.push({ settle: own });
    return {
      cell,
      runtime: (): VirtualRuntime => runtime,
      state: (): State => life.state,
      runs: (): number => life.runs,
      isOver: (): boolean => life.isOver,
      change: async (by: (state: State) => State): Promise<void> => {
        cell.change(by);
        await settle();
      },
      growLong: async (): Promise<void> => {
        runtime.growLong();
        cell.change((state) => state);
        await settle();
      },
    };
  }

  async function agreement({ carried, ...input }: Over<AgreementInput, agreements.State> = {}) {
    const uid = input.uid ?? `agr-${randomUUID()}`;
    const whole = { uid, connectionId: 'acme', mandate: A_MANDATE, ...input };
    const life = live(AGREEMENT, carried ?? agreements.newAgreement(whole, now()), agreements.carriedOver);
    const { cell, change, state } = life;
    await settle();
    return {
      ...life,
      uid,
      view: () => agreementView(state()),
      timeline: () => timelineOf(state()),
      /** As the workflow ends. */
      end: () => {
        if (!life.isOver()) throw new Error(`expected ${uid} to be over`);
        const ended = agreements.answered(state());
        return { ...agreementView(ended), carried: overJson({ ...ended, blocked: undefined }) };
      },
      receive: (...facts: Fact[]) => change((known) => facts.reduce(agreements.withFact, known)),
      differs: () => change(agreements.withLookUpDue),
      restored: () => change((known) => ({ ...known, blocked: undefined })),
      ask: async (request: ActionRequest) => {
        assertAskable(state(), request);
        const { state: next, taken } = withRequest(state(), request, now());
        await change(() => next);
        return taken;
      },
      lookUpNow: async () => {
        assertLookable(state());
        await change(agreements.withLookUpDue);
      },
      resolve: async (by: AttentionResolution) => {
        assertResolvable(state(), by);
        await change((known) => withResolution(known, by, now()));
      },
      pay: async (request: PaymentRequest) => {
        assertAdmissible(state(), request);
        const admitted = startPayment(cell, life.runtime(), request);
        admitted.catch(() => undefined);
        await settle();
        return admitted;
      },
    };
  }

  async function payment({ carried, ...input }: Over<PaymentInput, payments.State> = {}) {
    const uid = input.uid ?? `pay-${randomUUID()}`;
    const whole = { uid, connectionId: 'acme', order: anOrder('agr-1'), ...input };
    const life = live(PAYMENT, carried ?? payments.newPayment(whole, now()), payments.carriedOver);
    await settle();
    return {
      ...life,
      uid,
      view: () => paymentView(life.state()),
      carried: () => overJson(life.state()),
      receive: (...facts: Fact[]) => life.change((known) => facts.reduce(payments.withFact, known)),
      restored: () => life.change((known) => ({ ...known, blocked: undefined })),
    };
  }

  async function connection(carried?: connections.State) {
    const life = live(CONNECTION, carried ?? connections.newConnection('acme', now()), (known) => known);
    const { cell, change, state, runtime } = life;
    await settle();
    const complete = async (answer: ConsentAnswer) => {
      assertOpen(state(), answer, now());
      const completed = takeConsent(cell, runtime(), answer);
      completed.catch(() => undefined);
      await settle();
      return { completed };
    };
    const beginConsent = async (asked?: ConsentAsked) => {
      const round = openRound(cell, now(), asked);
      await settle();
      return round;
    };
    return {
      ...life,
      complete,
      beginConsent,
      view: () => connectionView(state()),
      access: () => accessOf(state()),
      rotated: (tokens: SealedTokens) => change((known) => connections.withRotated(known, tokens)),
      revoke: (revocation: Revocation) =>
        change((known) => connections.withRevocation(known, now(), revocation)),
      consent: async (sealedCode = 'sealed', asked?: ConsentAsked) =>
        complete({ ...(await beginConsent(asked)), sealedCode }),
      ensure: async (after: number) => {
        const beyond = generationBeyond(cell, runtime(), after);
        await settle();
        return { beyond };
      },
    };
  }

  return {
    agenda,
    now,
    calls,
    pass: (ms: number) => agenda.pass(ms),
    settle,
    agreement,
    payment,
    connection,
  };
}

/** What Temporal makes of it on its way. */
export const overJson = <T>(value: T): T =>
  defaultPayloadConverter.fromPayload(defaultPayloadConverter.toPayload(value));

/** A call that the test answers. */
export function unanswered<T>() {
  let open: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const answer = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { answer, open, fail };
}

function answersOf(activities: Activities, now: () => Instant, calls: string[]): Answers {
  const via =
    <A, R>(name: keyof Activities, activity: (args: A) => Promise<R>) =>
    (args: A): Call<R> =>
    (done) => {
      calls.push(name);
      const fetchedAt = now();
      activity(overJson(args)).then(
        (answer) => {
          done({ ok: overJson(fetchedThen(answer, fetchedAt)) });
        },
        (error: unknown) => {
          done(attemptOf(name, error));
        },
      );
    };
  return {
    adoptAgreement: via('adoptAgreement', activities.adoptAgreement),
    adoptPayment: via('adoptPayment', activities.adoptPayment),
    createAgreement: via('createAgreement', activities.createAgreement),
    ensureSweep: via('ensureSweep', activities.ensureSweep),
    exchangeCode: via('exchangeCode', activities.exchangeCode),
    findAgreement: via('findAgreement', activities.findAgreement),
    findPayment: via('findPayment', activities.findPayment),
    lookUpAgreement: via('lookUpAgreement', activities.lookUpAgreement),
    lookUpPayment: via('lookUpPayment', activities.lookUpPayment),
    refreshTokens: via('refreshTokens', activities.refreshTokens),
    resumeBlocked: via('resumeBlocked', activities.resumeBlocked),
    sendCommand: via('sendCommand', activities.sendCommand),
    submitPayment: via('submitPayment', activities.submitPayment),
    watchAgreement: via('watchAgreement', activities.watchAgreement),
    watchPayment: via('watchPayment', activities.watchPayment),
  };
}

/** A snapshot that a script gave bears the real time; it is as old as its request. */
const fetchedThen = <R>(answer: R, fetchedAt: Instant): R =>
  typeof answer === 'object' && answer !== null && 'fetchedAt' in answer ? { ...answer, fetchedAt } : answer;

function attemptOf(name: keyof Activities, error: unknown): Attempt<never> {
  const cause = error instanceof Error ? error : new Error(String(error));
  const isFinal = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  const evidence = callFailureOf(
    new ActivityFailure('', name, '1', RetryState.NON_RETRYABLE_FAILURE, '', cause),
  );
  if (isFinal || CALL_OPTIONS[name].retry?.maximumAttempts === 1) return { stop: evidence };
  if (!(cause instanceof ApplicationFailure)) return { again: 'Error' };
  const { type, nextRetryDelay } = cause;
  const pauseMs = typeof nextRetryDelay === 'number' ? nextRetryDelay : msOf(nextRetryDelay ?? '');
  return { again: type ?? 'Error', evidence, ...(!Number.isNaN(pauseMs) && { afterMs: () => pauseMs }) };
}
