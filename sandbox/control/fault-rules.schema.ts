// What the control routes take as a fault. Strict: a rule that could never do anything is refused, not kept.
import { z } from 'zod';
import {
  DEFAULTS,
  FaultParameters,
  ON_ANSWER,
  ON_READ,
  ON_TOKEN,
  ON_WEBHOOK,
} from '../faults/actions.schema.js';
import { API_CALLS } from '../faults/fault.schema.js';
import type { NewFault } from '../faults/faults.js';
import { Uid } from '../http/wire.schema.js';

const aboutAny = {
  /** Without it, until it is removed. */
  times: z.int().min(1).optional(),
  /** Of the calls or events that fit; 1 is each of them. */
  share: z.number().gt(0).max(1).optional(),
  /** A resource's uid; of a webhook also its agreement's, of a token call the grant's id. */
  resource_uid: Uid.optional(),
  ...FaultParameters.shape,
};

/** A rule for what shall go wrong. Each action knows its own parameters: any other is refused. */
export const AddFault = z
  .discriminatedUnion('on', [
    z.strictObject({ on: z.literal('webhook'), do: z.enum(ON_WEBHOOK), ...aboutAny }),
    z.strictObject({ on: z.literal('token'), do: z.enum([...ON_ANSWER, ...ON_TOKEN]), ...aboutAny }),
    z.strictObject({ on: z.enum([...API_CALLS, '*']), do: z.enum([...ON_ANSWER, ...ON_READ]), ...aboutAny }),
  ])
  .superRefine((rule, context) => {
    for (const name of Object.keys(FaultParameters.shape)) {
      if (!(name in rule) || name in DEFAULTS[rule.do]) continue;
      context.addIssue({ code: 'custom', path: [name], message: `means nothing to ${rule.do}` });
    }
  });
export type AddFault = z.output<typeof AddFault>;

/** The whole rule, with what holds where nothing was said. */
export function faultFrom(asked: AddFault): NewFault {
  const { on, do: action, times = null, share = 1, resource_uid = null } = asked;
  const parameters = Object.fromEntries(
    Object.entries(DEFAULTS[action]).map(([name, usual]: [string, unknown]) => {
      const told: unknown = Reflect.get(asked, name);
      return [name, told === undefined ? usual : told];
    }),
  );
  return { ...FaultParameters.parse(parameters), on, do: action, times, share, resource_uid };
}
