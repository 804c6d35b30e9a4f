// A count and cents, as the answers about settlement have them.
import { z } from 'zod';

export const Cents = z.int().meta({ description: 'In cents.' });
export const TotalSchema = z.object({ count: z.int(), amount: Cents }).meta({ id: 'SettlementTotal' });
