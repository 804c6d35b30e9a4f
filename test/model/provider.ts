// The provider as its own documents describe it (docs/provider.md#history, #operations, #events-of-agreements, #limits, #agreements-creation, #events): one agreement, what moves it, what
// it answers and what it tells. Written from the documents alone: no table of the product's, and none of the sandbox's.
import type { ActionKind } from '../../domain/action.js';
import type { Agenda } from './agenda.js';

export type State =
  'pending' | 'created' | 'active' | 'suspended' | 'declined' | 'expired' | 'cancelled' | 'failed';

export interface ProviderEvent {
  id: string;
  type: string;
  publishedAtMs: number;
  /** When it really was. */
  atMs: number;
  causedBy?: string;
}

/** What the documents leave open, or allow: one provider has one set of these habits. */
export interface Habits {
  /** From the 201 until it has its scheme id, or has failed to get one (docs/provider.md#agreements-states: neither is told by an event of its own). */
  registersInMs: number;
  registration: 'done' | 'failed';
  /** Refused outright, with a coded 422. */
  refusesCreation: boolean;
  /** Five days by the interface, on the sixth by other texts (docs/provider.md#differences). */
  expiresAfterDays: 5 | 6;
  /** Whether a cancellation is taken before the payer has answered (docs/provider.md#unknown). */
  cancelsUnanswered: boolean;
  /** Whether what ends with its agreement is told of by an event of its own. */
  tellsOfEnds: boolean;
  showsCreatedAt: boolean;
  /** From 202 until a command has come off, unless planned otherwise. */
  carriesOutInMs: number;
  /** How finely it tells the time of events: those of one instant are told apart by their rising ids alone (docs/provider.md#history). */
  publishesToMs: 1 | 1000;
  /** And how finely its history does (docs/provider.md#conventions). */
  historyToMs: 1 | 1000;
  /** `cancel_if_unresolved`: it cancels by itself what is unanswered that long after its creation (docs/provider.md#agreements-creation). */
  cancelsUnresolvedInMs: number | undefined;
}

/** What comes of a command that was taken with 202. */
export interface Outcome {
  inMs: number;
  /** `refused`: it is not even taken, for a reason of its own. */
  ends: 'done' | 'failed' | 'never' | 'refused';
}

export type PayerMove =
  | 'accept'
  | 'decline'
  | 'suspend'
  | 'resume'
  | 'cancel'
  | 'accept_amendment'
  | 'decline_amendment'
  | 'amend_account';
export type ServiceMove = 'suspend' | 'cancel' | 'expire' | 'unheard_of';

/** The agreement as GET shows it. */
export interface Shown {
  state: State;
  causedBy: string | undefined;
  maxAmount: number;
}

interface Amendment {
  key: string;
  state: 'pending' | 'created';
  maxAmount: number;
}

export interface Provider {
  create(): 'created' | 'duplicate' | 'refused';
  /** The answer to a command: `202`, or the code of a 422 (docs/provider.md#errors). */
  ask(kind: ActionKind, key: string, maxAmount?: number): string;
  /** The terms of the amendment in progress; nothing is a 404. */
  amendmentAmount(): number | undefined;
  /** What a read shows that is so late behind; nothing is a 404. */
  agreement(lagMs?: number): Shown | undefined;
  /** Every event, as it is pushed. */
  history(): ProviderEvent[];
  /** The events as a read shows them that is so late behind. */
  readHistory(lagMs: number): ProviderEvent[];
  canPayer(move: PayerMove): boolean;
  payer(move: PayerMove): void;
  canService(move: ServiceMove): boolean;
  service(move: ServiceMove): void;
  /** For the next command that is taken. */
  plan(outcome: Outcome): void;
  createdAtMs(): number | undefined;
  isUnderWay(kind: ActionKind): boolean;
  /** How often the command of that key came here: where an answer was lost, it is sent again. */
  timesAsked(key: string): number;
  /** How often the command of that key was carried out. */
  effectsOf(key: string): number;
  /** Every state that it has been in. */
  everIn(state: State): boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FINAL: readonly State[] = ['declined', 'expired', 'cancelled', 'failed'];
const STANDING: readonly State[] = ['active', 'suspended'];
/** From 202 until an amendment waits for its payer. */
const SUBMITTED_IN_MS = 500;
const REFUSED = 'ZPUNP00';
export const FIRST_AMOUNT = 25_000;

const cut = (ms: number, toMs: number): number => Math.floor(ms / toMs) * toMs;

export const isFinal = (state: State): boolean => FINAL.includes(state);

const WRONG_STATE = { suspension: 'ZPSUS00', reactivation: 'ZPREA00', cancellation: 'ZPCAN00' } as const;
const UNDER_WAY = { suspension: 'ZPSUS01', reactivation: 'ZPREA01', cancellation: 'ZPCAN01' } as const;
const LEADS_TO = { suspension: 'suspended', reactivation: 'active', cancellation: 'cancelled' } as const;
const TELLS = { suspension: 'suspended', reactivation: 'reactivated', cancellation: 'cancelled' } as const;
type Standing = keyof typeof WRONG_STATE;

/**
 * @param told is called with each event as it is published, to be pushed.
 */
export function createProvider(
  agenda: Agenda,
  habits: Habits,
  told: (event: ProviderEvent) => void,
): Provider {
  const log: (Shown & { atMs: number })[] = [];
  const events: ProviderEvent[] = [];
  const effects = new Map<string, number>();
  const asked: string[] = [];
  const plans: Outcome[] = [];
  const usual: Outcome = { inMs: habits.carriesOutInMs, ends: 'done' };
  let standing: { kind: Standing; key: string }[] = [];
  let amendment: Amendment | undefined;
  let recall: string | undefined;

  const now = (): Shown | undefined => log.at(-1);
  const isIn = (...states: State[]): boolean => states.some((state) => state === now()?.state);
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
    told(event);
  };
  const enter = (state: State, type: string, causedBy: string): void => {
    show({ state, causedBy });
    publish(type, causedBy);
    if (isFinal(state)) endAll();
  };
  /** What is under way when the agreement ends ends with it. */
  const endAll = (): void => {
    const over = [
      ...standing.map(({ kind }) => `${kind}_failed`),
      ...(amendment ? ['amendment_failed'] : []),
      ...(recall ? ['amendment_recall_failed'] : []),
    ];
    standing = [];
    amendment = undefined;
    recall = undefined;
    if (habits.tellsOfEnds)
      over.forEach((type) => {
        publish(type);
      });
  };
  const carriedOut = (key: string): void => void effects.set(key, (effects.get(key) ?? 0) + 1);
  const mayBegin = (kind: Standing): boolean => {
    if (kind === 'suspension') return isIn('active');
    if (kind === 'reactivation') return isIn('suspended') && now()?.causedBy === 'initiator';
    return isIn(...STANDING) || (habits.cancelsUnanswered && isIn('pending', 'created'));
  };
  const whenDue = ({ inMs, ends }: Outcome, finish: (isDone: boolean) => void): void => {
    if (ends !== 'never')
      agenda.after(inMs, () => {
        finish(ends === 'done');
      });
  };

  const askStanding = (kind: Standing, key: string): string => {
    if (standing.some((other) => other.kind === kind)) return UNDER_WAY[kind];
    if (!mayBegin(kind)) return WRONG_STATE[kind];
    const plan = plans.shift() ?? usual;
    if (plan.ends === 'refused') return REFUSED;
    const begun = { kind, key };
    standing.push(begun);
    whenDue(plan, (isDone) => {
      if (!standing.includes(begun)) return;
      standing = standing.filter((other) => other !== begun);
      if (!isDone || !mayBegin(kind)) return publish(`${kind}_failed`);
      carriedOut(key);
      enter(LEADS_TO[kind], TELLS[kind], 'initiator');
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
    if (!isIn(...STANDING)) return 'ZPAMN00';
    if (amendment !== undefined) return 'ZPAMN01';
    if (maxAmount === now()?.maxAmount) return 'ZPAMN03';
    const { ends } = plans.shift() ?? usual;
    if (ends === 'refused') return REFUSED;
    const begun: Amendment = { key, state: 'pending', maxAmount };
    amendment = begun;
    const ifStill = (then: () => void) => (): void => (amendment === begun ? then() : undefined);
    const fail = (type: string) =>
      ifStill(() => {
        amendment = undefined;
        publish(type);
      });
    if (ends === 'failed') agenda.after(SUBMITTED_IN_MS, fail('amendment_failed'));
    else
      agenda.after(
        SUBMITTED_IN_MS,
        ifStill(() => void (begun.state = 'created')),
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
    if (kind === 'amendment') return askAmendment(key, maxAmount);
    return kind === 'amendment_recall' ? askRecall(key) : askStanding(kind, key);
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
      can: () => isIn('created', ...STANDING),
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
      can: () => isIn(...STANDING),
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
      can: () => isIn('created', ...STANDING),
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
    ask: (kind, key, maxAmount = FIRST_AMOUNT) => {
      asked.push(key);
      return askOf(kind, key, maxAmount);
    },
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
      return kind === 'amendment_recall' ? recall !== undefined : standing.some((one) => one.kind === kind);
    },
    timesAsked: (key) => asked.filter((one) => one === key).length,
    effectsOf: (key) => effects.get(key) ?? 0,
    everIn: (state) => log.some((shown) => shown.state === state),
  };
}
