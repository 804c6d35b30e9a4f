import { defineConfig } from 'vitest/config';
import shared from '../../vitest.config.js';

export default defineConfig({ test: { ...shared.test, include: ['test/replay/record.ts'] } });
