// The body that acknowledges a broken chain of balances.
import { z } from 'zod';
import { text } from '../agreement/mandate.schema.js';

export const AcknowledgeBreak = z
  .strictObject({
    reason: text(256).meta({ description: 'What was found.', example: 'Corrected by the provider, case 7.' }),
  })
  .meta({ id: 'AcknowledgeBreak' });
