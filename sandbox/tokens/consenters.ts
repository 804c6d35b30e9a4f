// Who may consent here: a person of the merchant whose books this sandbox keeps, and one of another. Only GET /user tells them apart.
import { seededFloatAccount } from '../store/float-account.schema.js';

interface Consenter {
  user: { id: string; first_name: string; last_name: string; email: string };
  account: { id: string; name: string };
}

const BILLER: Consenter = {
  user: {
    id: '0195f1f0-7a11-7c00-8a00-05e400000001',
    first_name: 'Sandbox',
    last_name: 'User',
    email: 'user@biller.example',
  },
  account: { id: seededFloatAccount().owner_id, name: 'Sandbox Biller Pty Ltd' },
};

const OTHER_BILLER: Consenter = {
  user: {
    id: '0195f1f0-7a11-7c00-8a00-05e400000002',
    first_name: 'Other',
    last_name: 'User',
    email: 'user@other-biller.example',
  },
  account: { id: '0195f1f0-7a11-7c00-8a00-acc000000002', name: 'Other Biller Pty Ltd' },
};

/** By the word that the consent form posts as `consenter`; the first one where it posts none. */
export const CONSENTERS: ReadonlyMap<string, Consenter> = new Map([
  ['biller', BILLER],
  ['other_biller', OTHER_BILLER],
]);

export const consenterOf = (name: string): Consenter => CONSENTERS.get(name) ?? BILLER;
