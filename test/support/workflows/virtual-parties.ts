import { randomUUID } from 'node:crypto';
import * as clients from '../../../workflows/client/state.js';
import { CLIENT } from '../../../workflows/client/definition.js';
import { viewOf as clientView } from '../../../workflows/client/view.js';
import * as counterparties from '../../../workflows/counterparty/state.js';
import { COUNTERPARTY } from '../../../workflows/counterparty/definition.js';
import { viewOf as counterpartyView } from '../../../workflows/counterparty/view.js';
import { aClientOrder, aCounterpartyOrder } from './provider.js';
import type { Instant } from '../../../domain/facts/fact.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import type { ChangeRequest, ClientInput } from '../../../workflows/client/contract.js';
import type {
  ChangeRequest as AccountChange,
  CounterpartyInput,
} from '../../../workflows/counterparty/contract.js';
import type { MessageHandler } from '../../../workflows/engine/handlers.js';
import type { Awaited, EntityDefinition } from '../../../workflows/engine/reconcile.js';
import type { AnyStep } from '../../../workflows/engine/step.js';

export type Over<Input, State> = Partial<Omit<Input, 'carried'>> & { carried?: State };

interface Life<State> {
  state: () => State;
  runs: () => number;
  isOver: () => boolean;
  send: <Arg, Answer>(handler: MessageHandler<State, Arg, Answer>, arg: Arg) => Promise<Answer>;
  growLong: () => Promise<void>;
}

interface Living {
  live: <State extends Awaited, Step extends AnyStep>(
    story: EntityDefinition<State, Step>,
    initial: State,
    carriedOver: (state: State) => State,
  ) => Life<State>;
  now: () => Instant;
  settle: () => Promise<void>;
}

export function partiesIn({ live, now, settle }: Living) {
  async function client({ carried, ...input }: Over<ClientInput, clients.ClientState> = {}) {
    const whole = { uid: `cli-${randomUUID()}`, connectionId: 'acme', order: aClientOrder(), ...input };
    const life = live(CLIENT, carried ?? clients.newClient(whole, now()), CLIENT.toCarry);
    await settle();
    return {
      ...life,
      view: () => clientView(life.state()),
      restored: () => life.send(CLIENT.handlers.connectionRestored, undefined),
      resolve: (by: AttentionResolution) => life.send(CLIENT.handlers.resolveAttention, by),
      change: (request: ChangeRequest) => life.send(CLIENT.handlers.changeClient, request),
    };
  }

  async function counterparty({
    carried,
    ...input
  }: Over<CounterpartyInput, counterparties.CounterpartyState> = {}) {
    const whole = { uid: `cp-${randomUUID()}`, connectionId: 'acme', order: aCounterpartyOrder(), ...input };
    const initial = carried ?? counterparties.newCounterparty(whole, now());
    const life = live(COUNTERPARTY, initial, COUNTERPARTY.toCarry);
    await settle();
    return {
      ...life,
      view: () => counterpartyView(life.state()),
      details: () => COUNTERPARTY.publish(life.state()).details,
      restored: () => life.send(COUNTERPARTY.handlers.connectionRestored, undefined),
      resolve: (by: AttentionResolution) => life.send(COUNTERPARTY.handlers.resolveAttention, by),
      change: (request: AccountChange) => life.send(COUNTERPARTY.handlers.changeCounterparty, request),
    };
  }

  return { client, counterparty };
}
