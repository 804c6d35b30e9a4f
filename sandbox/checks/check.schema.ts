// What the provider keeps of the checks on an alias or an account before an agreement. No behaviour here.
import { z } from 'zod';
import { tableOf } from '../entities.schema.js';

export const CHECK_TABLES = {
  /** When there was one, in milliseconds, oldest first: by whom or from where it was asked for. Of the last day alone. */
  checkTimes: tableOf(z.array(z.number())),
  /** By its uid, how an account validation ended: its result, or the code it was refused with. */
  accountValidations: tableOf(z.string()),
};

export const CHECK_CALLS = ['resolve_alias', 'validate_account'] as const;
