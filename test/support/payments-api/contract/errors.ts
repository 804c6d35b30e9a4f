import type { Meaning } from '../../../../domain/provider/error-meaning.js';
import type { PaymentsApiErrorCode } from '../../../../domain/provider/call-codes.js';
import type { SetLimits } from '../../../../sandbox/control/requests.schema.js';
import type { World } from './world.js';

export interface Refused {
  means: Meaning;
  status: number;
  called: PaymentsApiErrorCode;
  bring: (world: World) => Promise<unknown>;
}

export type Rows = Record<string, Refused | readonly Refused[]>;

export const refused = (
  means: Meaning,
  bring: Refused['bring'],
  other: Pick<Refused, 'status' | 'called'> = { status: 422, called: 'rejected' },
): Refused => ({ means, bring, ...other });

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
