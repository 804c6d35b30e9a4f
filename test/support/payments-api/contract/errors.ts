import type { Meaning } from '../../../../domain/provider/error-meaning.js';
import type { PaymentsApiErrorCode } from '../../../../domain/provider/call-codes.js';
import type { SetLimits } from '../../../../sandbox/control/requests.schema.js';
import type { World } from './world.js';

export interface Refused {
  means: Meaning;
  /** 422 unless docs/provider.md#errors says otherwise. */
  status: number;
  /** What the client calls it. */
  called: PaymentsApiErrorCode;
  /** Brings it about; the call that is refused is the last one, and its rejection is handed on. */
  bring: (world: World) => Promise<unknown>;
}

export type Rows = Record<string, Refused | readonly Refused[]>;

export const refused = (
  means: Meaning,
  bring: Refused['bring'],
  other: Pick<Refused, 'status' | 'called'> = { status: 422, called: 'rejected' },
): Refused => ({ means, bring, ...other });

/** What the provider takes of an account, lowered for one call. */
export const withLimits =
  (limits: SetLimits, act: Refused['bring']): Refused['bring'] =>
  async (world) => {
    const usual = world.control.state().account.limits;
    world.control.setLimits(limits);
    try {
      return await act(world);
    } finally {
      world.control.setLimits(usual);
    }
  };
