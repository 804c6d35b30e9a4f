// The date of a settlement report (docs/provider.md#operations).
import { z } from 'zod';
import { date } from './parts.schema.js';

export const ReportDay = z.strictObject({ date });
