// The type of plugin.mjs.
import type { ESLint } from 'eslint';

export declare const house: ESLint.Plugin;
