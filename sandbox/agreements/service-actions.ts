// What the scheme or a bank does to an agreement by itself (facts 7.3), and the control routes can have done.
import { z } from 'zod';
import type { Engine } from '../engine.js';
import { refuse } from '../http/refusal.js';
import { cancelled, expired, reactivated, suspended, type AgreementMove } from './agreement-moves.js';
import { moveAgreement } from './agreement-states.js';
import type { Agreement } from './agreement.schema.js';
import { reasonOf, type SchemeCode } from './reasons.js';

export const ServiceAction = z.enum(['expire', 'service_suspend', 'service_reactivate', 'service_cancel']);
export type ServiceAction = z.output<typeof ServiceAction>;

interface Intervention {
  isPossible: (agreement: Agreement) => boolean;
  move: (agreement: Agreement) => AgreementMove;
}

const INTERVENTIONS: Record<ServiceAction, Intervention> = {
  expire: { isPossible: ({ state }) => state === 'created', move: expired },
  service_suspend: {
    isPossible: ({ state }) => state === 'active',
    move: () => suspended('service_system', reasonOf('MSUC')),
  },
  service_reactivate: {
    isPossible: ({ state, state_caused_by }) => state === 'suspended' && state_caused_by === 'service_system',
    move: () => reactivated('service_system'),
  },
  service_cancel: {
    isPossible: ({ state }) => ['created', 'active', 'suspended'].includes(state),
    move: () => cancelled('service_system', reasonOf('MD07')),
  },
};

/** What the service could do with the agreement as it stands. */
export function possibleServiceActions(agreement: Agreement): ServiceAction[] {
  return ServiceAction.options.filter((action) => INTERVENTIONS[action].isPossible(agreement));
}

/** The service acts now; refused with 409 where the agreement does not allow it. */
export function actAsService(engine: Engine, agreement: Agreement, action: ServiceAction): void {
  const { isPossible, move } = INTERVENTIONS[action];
  if (isPossible(agreement)) {
    moveAgreement(engine, agreement, move(agreement));
    return;
  }
  const { uid, state, state_caused_by } = agreement;
  const detail = `${action} is not possible for agreement ${uid}: it is ${state}, caused by ${state_caused_by}`;
  throw refuse(409, 'Not possible now', detail);
}

/** The service pauses the agreement for that reason, MSUC after seven failed collections. False where it is not active. */
export function suspendByService(engine: Engine, agreement: Agreement, code: SchemeCode): boolean {
  return (
    agreement.state === 'active' &&
    moveAgreement(engine, agreement, suspended('service_system', reasonOf(code)))
  );
}
