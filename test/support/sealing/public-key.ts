import { parseKeyring } from '../../../sealing/keyring.js';
import { printPublicKey, publicKeyOf } from '../../../sealing/public-key.js';

const RING = parseKeyring(`t1:${Buffer.alloc(32, 3).toString('base64')}`);
export const A_PUBLIC_KEY = printPublicKey(await publicKeyOf(RING));
