import { REFUND } from '../../workflows/refund/definition.js';
import { followed } from './followed.js';
import { createHost, type Host } from './host.js';
import { waitsForConsent } from './neighbours.js';
import { refundAnswersOf, type RefundCaller } from './refund-provider.js';
import type { Fact } from '../../domain/facts/fact.js';
import type { RefundInput } from '../../workflows/refund/contract.js';
import type { RefundState } from '../../workflows/refund/state.js';
import type { Agenda } from '../support/agenda.js';
import type { Rules } from './rules.js';
import type { Workers } from './workers.js';

export interface Refunds {
  hosts: Map<string, Host<RefundState>>;
  start: (input: RefundInput) => boolean;
  receive: (uid: string, fact: Fact) => void;
  resumeBlocked: () => void;
}

interface Given extends RefundCaller, Pick<Workers, 'employed'> {
  rules: Rules;
  agenda: Agenda;
  touched: () => void;
  stepped: (uid: string) => (step: string) => void;
}

export function createRefunds(given: Given): Refunds {
  const { rules, agenda, localNow, touched, stepped, employed } = given;
  const answers = employed(refundAnswersOf(given));
  const hosts: Refunds['hosts'] = new Map();
  return {
    hosts,
    start: (input) => {
      if (hosts.has(input.uid)) return false;
      const host = createHost({
        ...followed(rules.refund, input, rules, localNow),
        agenda,
        localNow,
        touched,
        answers,
        stepped: stepped(input.uid),
      });
      hosts.set(input.uid, host);
      return true;
    },
    receive: (uid, fact) => hosts.get(uid)?.signal(REFUND.handlers.fact, fact, true),
    resumeBlocked: () => {
      for (const host of hosts.values())
        if (waitsForConsent(host)) host.signal(REFUND.handlers.connectionRestored, undefined);
    },
  };
}
