// The provider of a life: its agreement, with the actions on it and the events that it publishes.
import type { ActionKind } from '../../domain/agreement/action.js';
import type { Agenda } from '../support/agenda.js';
import type {
  Habits,
  PlannedOutcome,
  PayerMove,
  Provider,
  ProviderEvent,
  ServiceMove,
  Shown,
  ShownState,
} from './provider-interface.js';

interface Amendment {
  key: string;
  state: 'pending' | 'created';
  maxAmount: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FINAL: readonly ShownState[] = ['declined', 'expired', 'cancelled', 'failed'];
const IN_FORCE: readonly ShownState[] = ['active', 'suspended'];
const SUBMITTED_IN_MS = 500;
const REFUSED = 'ZPUNP00';
export const FIRST_AMOUNT = 25_000;

const cut = (ms: number, toMs: number): number => Math.floor(ms / toMs) * toMs;

const isFinal = (state: ShownState): boolean => FINAL.includes(state);

const WRONG_STATE = { suspension: 'ZPSUS00', reactivation: 'ZPREA00', cancellation: 'ZPCAN00' } as const;
const UNDER_WAY = { suspension: 'ZPSUS01', reactivation: 'ZPREA01', cancellation: 'ZPCAN01' } as const;
const LEADS_TO = { suspension: 'suspended', reactivation: 'active', cancellation: 'cancelled' } as const;
const PUBLISHES = {
  suspension: 'suspended',
  reactivation: 'reactivated',
  cancellation: 'cancelled',
} as const;
type ActionInForce = keyof typeof WRONG_STATE;

export function createProvider(
  agenda: Agenda,
  habits: Habits,
  onEvent: (event: ProviderEvent) => void,
): Provider {
  const log: (Shown & { atMs: number })[] = [];
  const events: ProviderEvent[] = [];
  const effects = new Map<string, number>();
  const plans: PlannedOutcome[] = [];
  const usual: PlannedOutcome = { inMs: habits.carriesOutInMs, ends: 'done' };
  let actionsInProgress: { kind: ActionInForce; key: string }[] = [];
  let amendment: Amendment | undefined;
  let recall: string | undefined;

  const now = (): Shown | undefined => log.at(-1);
  const isIn = (...states: ShownState[]): boolean => states.some((state) => state === now()?.state);
  const show = (by: Partial<Shown>): void => {
    const before = now() ?? { state: 'pending', causedBy: undefined, maxAmount: FIRST_AMOUNT };
    log.push({ ...before, ...by, atMs: agenda.nowMs() });
  };
  const publish = (type: string, causedBy?: string): void => {
    const atMs = agenda.nowMs();
    const id = `e-${String(events.length + 1).padStart(6, '0')}`;
    const event = {
      id,
      type,
      publishedAtMs: cut(atMs, habits.publishesToMs),
      atMs,
      ...(causedBy && { causedBy }),
    };
    events.push(event);
    onEvent(event);
  };
  const enter = (state: ShownState, type: string, causedBy: string): void => {
    show({ state, causedBy });
    publish(type, causedBy);
    if (isFinal(state)) endAll();
  };
  const endAll = (): void => {
    const over = [
      ...actionsInProgress.map(({ kind }) => `${kind}_failed`),
      ...(amendment ? ['amendment_failed'] : []),
      ...(recall ? ['amendment_recall_failed'] : []),
    ];
    actionsInProgress = [];
    amendment = undefined;
    recall = undefined;
    if (habits.publishesEnds)
      over.forEach((type) => {
        publish(type);
      });
  };
  const carriedOut = (key: string): void => void effects.set(key, (effects.get(key) ?? 0) + 1);
  const mayBegin = (kind: ActionInForce): boolean => {
    if (kind === 'suspension') return isIn('active');
    if (kind === 'reactivation') return isIn('suspended') && now()?.causedBy === 'initiator';
    return isIn(...IN_FORCE) || (habits.cancelsUnanswered && isIn('pending', 'created'));
  };
  const whenDue = ({ inMs, ends }: PlannedOutcome, finish: (isDone: boolean) => void): void => {
    if (ends !== 'never')
      agenda.after(inMs, () => {
        finish(ends === 'done');
      });
  };

  const startAction = (kind: ActionInForce, key: string): string => {
    if (actionsInProgress.some((other) => other.kind === kind)) return UNDER_WAY[kind];
    if (!mayBegin(kind)) return WRONG_STATE[kind];
    const plan = plans.shift() ?? usual;
    if (plan.ends === 'refused') return REFUSED;
    const started = { kind, key };
    actionsInProgress.push(started);
    whenDue(plan, (isDone) => {
      if (!actionsInProgress.includes(started)) return;
      actionsInProgress = actionsInProgress.filter((other) => other !== started);
      if (!isDone || !mayBegin(kind)) return publish(`${kind}_failed`);
      carriedOut(key);
      enter(LEADS_TO[kind], PUBLISHES[kind], 'initiator');
    });
    return '202';
  };
  const amended = (of: Amendment): void => {
    amendment = undefined;
    carriedOut(of.key);
    show({ maxAmount: of.maxAmount });
    publish('amended', 'initiator');
  };
  const askAmendment = (key: string, maxAmount: number): string => {
    if (!isIn(...IN_FORCE)) return 'ZPAMN00';
    if (amendment !== undefined) return 'ZPAMN01';
    if (maxAmount === now()?.maxAmount) return 'ZPAMN03';
    const { ends } = plans.shift() ?? usual;
    if (ends === 'refused') return REFUSED;
    const started: Amendment = { key, state: 'pending', maxAmount };
    amendment = started;
    const ifStill = (then: () => void) => (): void => (amendment === started ? then() : undefined);
    const fail = (type: string) =>
      ifStill(() => {
        amendment = undefined;
        publish(type);
      });
    if (ends === 'failed') agenda.after(SUBMITTED_IN_MS, fail('amendment_failed'));
    else
      agenda.after(
        SUBMITTED_IN_MS,
        ifStill(() => void (started.state = 'created')),
      );
    agenda.after(5 * DAY_MS, fail('amendment_expired'));
    return '202';
  };
  const askRecall = (key: string): string => {
    if (recall !== undefined) return 'ZPARE01';
    if (amendment === undefined) return 'ZPARE02';
    if (amendment.state !== 'created') return 'ZPARE00';
    const plan = plans.shift() ?? usual;
    if (plan.ends === 'refused') return REFUSED;
    recall = key;
    const meant = amendment;
    whenDue(plan, (isDone) => {
      if (recall !== key) return;
      recall = undefined;
      if (!isDone || amendment !== meant) return publish('amendment_recall_failed');
      amendment = undefined;
      carriedOut(key);
      publish('amendment_recalled');
    });
    return '202';
  };

  const askOf = (kind: ActionKind, key: string, maxAmount: number): string => {
    if (kind === 'identification') throw new Error('expected a command with an outcome event');
    if (kind === 'amendment') return askAmendment(key, maxAmount);
    return kind === 'amendment_recall' ? askRecall(key) : startAction(kind, key);
  };

  const payerMoves: Readonly<Record<PayerMove, { can: () => boolean; take: () => void }>> = {
    accept: {
      can: () => isIn('created'),
      take: () => {
        enter('active', 'activated', 'debtor');
      },
    },
    decline: {
      can: () => isIn('created'),
      take: () => {
        enter('declined', 'declined', 'debtor');
      },
    },
    suspend: {
      can: () => isIn('active'),
      take: () => {
        enter('suspended', 'suspended', 'debtor');
      },
    },
    resume: {
      can: () => isIn('suspended') && now()?.causedBy === 'debtor',
      take: () => {
        enter('active', 'reactivated', 'debtor');
      },
    },
    cancel: {
      can: () => isIn('created', ...IN_FORCE),
      take: () => {
        enter('cancelled', 'cancelled', 'debtor');
      },
    },
    accept_amendment: {
      can: () => amendment?.state === 'created',
      take: () => amendment && amended(amendment),
    },
    decline_amendment: {
      can: () => amendment?.state === 'created',
      take: () => {
        amendment = undefined;
        publish('amendment_declined', 'debtor');
      },
    },
    amend_account: {
      can: () => isIn(...IN_FORCE),
      take: () => {
        publish('amended', 'debtor');
      },
    },
  };
  const serviceMoves: Readonly<Record<ServiceMove, { can: () => boolean; take: () => void }>> = {
    suspend: {
      can: () => isIn('active'),
      take: () => {
        enter('suspended', 'suspended', 'service_system');
      },
    },
    cancel: {
      can: () => isIn('created', ...IN_FORCE),
      take: () => {
        enter('cancelled', 'cancelled', 'service_system');
      },
    },
    expire: {
      can: () => isIn('created'),
      take: () => {
        enter('expired', 'expired', 'service_system');
      },
    },
    unheard_of: {
      can: () => now() !== undefined,
      take: () => {
        publish('reticulated', 'service_system');
      },
    },
  };

  return {
    create: () => {
      if (log.length > 0) return 'duplicate';
      if (habits.refusesCreation) return 'refused';
      show({ state: 'pending' });
      const register = (): void => {
        if (!isIn('pending')) return;
        if (habits.registration === 'failed') return enter('failed', 'failed', 'service_system');
        show({ state: 'created' });
      };
      agenda.after(habits.registersInMs, register);
      if (habits.cancelsUnresolvedInMs !== undefined)
        agenda.after(habits.cancelsUnresolvedInMs, () =>
          isIn('created') ? serviceMoves.cancel.take() : undefined,
        );
      agenda.after(habits.expiresAfterDays * DAY_MS, () =>
        isIn('created') ? serviceMoves.expire.take() : undefined,
      );
      return 'created';
    },
    ask: (kind, key, maxAmount = FIRST_AMOUNT) => askOf(kind, key, maxAmount),
    amendmentAmount: () => amendment?.maxAmount,
    agreement: (lagMs = 0) => log.findLast(({ atMs }) => atMs <= agenda.nowMs() - lagMs),
    history: () => [...events],
    readHistory: (lagMs) =>
      events
        .filter(({ atMs }) => atMs <= agenda.nowMs() - lagMs)
        .map((event) => ({ ...event, publishedAtMs: cut(event.publishedAtMs, habits.historyToMs) })),
    canPayer: (move) => payerMoves[move].can(),
    payer: (move) => {
      payerMoves[move].take();
    },
    canService: (move) => serviceMoves[move].can(),
    service: (move) => {
      serviceMoves[move].take();
    },
    plan: (outcome) => void plans.push(outcome),
    createdAtMs: () => (habits.showsCreatedAt ? log[0]?.atMs : undefined),
    isUnderWay: (kind) => {
      if (kind === 'amendment') return amendment !== undefined;
      return kind === 'amendment_recall'
        ? recall !== undefined
        : actionsInProgress.some((one) => one.kind === kind);
    },
    effectsOf: (key) => effects.get(key) ?? 0,
    everIn: (state) => log.some((shown) => shown.state === state),
  };
}
