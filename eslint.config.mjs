// Rules that an import graph cannot check: floating promises, sizes, Node inside workflows, reads of the environment.
import eslint from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { house } from './tools/lint/plugin.mjs';

const NOT_IN_THE_WORKFLOW_SANDBOX = [
  'crypto',
  'fetch',
  'structuredClone',
  'queueMicrotask',
  'setInterval',
  'setImmediate',
  'process',
  'Buffer',
  'performance',
  'atob',
  'btoa',
  'AbortSignal',
  'Event',
  'WeakRef',
  'FinalizationRegistry',
];
const lines = (max) => ['error', { max, skipBlankLines: true, skipComments: true }];
const NO_DEFAULT_EXPORT = { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' };
const NO_STATE = {
  selector:
    'Program > VariableDeclaration[kind!="const"], Program > ExportNamedDeclaration > VariableDeclaration[kind!="const"]',
  message: 'All runs share these modules: keep state in the run that owns it.',
};
const NO_ENVIRONMENT = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment; pass the parsed value as an argument.',
};

/** Words that product names must not use, with their replacements. Tests and the sandbox use them with other meanings. */
const OUT = {
  known: 'state, found or received',
  shown: 'snapshotState, snapshot',
  seen: 'snapshot or received',
  say: 'deliver or print',
  learned: 'received',
  stories: 'workflows',
  ladder: 'pollIntervals',
  asked: 'requested',
  begun: 'started',
  heard: 'received',
  barred: 'blocked',
  examined: 'checked',
  lifting: 'resumption',
  door: 'gateway',
};
/** In rooms whose calls wait for the rate limit. */
const OUT_WHERE_CALLS_WAIT = {
  ...OUT,
  line: 'queue',
  lines: 'queues',
  turn: 'acquire, queue',
  turns: 'acquire, queue',
};
/** In rooms of tokens. Encryption keys and the secrets of webhooks are rotated elsewhere. */
const OUT_OF_TOKENS = {
  ...OUT_WHERE_CALLS_WAIT,
  beyond: 'refreshed',
  rotated: 'refreshed',
  rotation: 'refresh',
};
export default tseslint.config(
  { ignores: ['dist/', 'client/generated/', 'node_modules/', '.data/', 'coverage/'] },
  eslint.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      'no-duplicate-imports': 'error',
      'no-useless-rename': 'error',
      'object-shorthand': 'error',
      'max-lines': lines(300),
      'max-lines-per-function': lines(50),
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT, NO_ENVIRONMENT],
    },
  },
  {
    files: ['*/**/*.{ts,tsx,mjs}'],
    plugins: { house },
    rules: {
      'house/vocabulary': 'error',
      'house/file-names': 'error',
      'house/ignored-format': 'error',
    },
  },
  {
    files: ['*/**/*.{ts,tsx,mjs}'],
    ignores: ['sandbox/**', 'test/**'],
    rules: { 'house/vocabulary': ['error', OUT] },
  },
  {
    files: ['*/**/*.{ts,tsx}'],
    ignores: ['sandbox/**', 'test/**', 'bench/**', 'tools/**', 'temporal-server/**'],
    rules: { 'house/prose': 'error' },
  },
  {
    files: ['activities/**/*.ts', 'delivery/**/*.ts', 'payments-api/**/*.ts', 'workflows/**/*.ts'],
    rules: { 'house/vocabulary': ['error', OUT_WHERE_CALLS_WAIT] },
  },
  {
    files: ['activities/connection/**/*.ts', 'activities/tokens/**/*.ts', 'workflows/connection/**/*.ts'],
    rules: { 'house/vocabulary': ['error', OUT_OF_TOKENS] },
  },
  {
    // A text from outside must not keep a thread busy for longer than its length explains. The rules do not see quantifiers after lookarounds.
    files: ['*/**/*.{ts,tsx}'],
    ignores: ['sandbox/**', 'test/**', 'bench/**', 'tools/**', 'temporal-server/**', 'postgres-server/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['**/config.ts', 'examples/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT] },
  },
  {
    files: ['workflows/**/*.ts', 'domain/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT, NO_ENVIRONMENT, NO_STATE],
      'no-restricted-globals': ['error', ...NOT_IN_THE_WORKFLOW_SANDBOX],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            'node:*',
            '@temporalio/client',
            '@temporalio/worker',
            '@temporalio/activity',
            '@temporalio/testing',
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.{ts,tsx}'],
    rules: {
      'max-lines-per-function': 'off',
      'no-restricted-syntax': ['error', NO_ENVIRONMENT],
    },
  },
  {
    files: ['**/*.mjs', '**/*.config.ts', 'test/support/global-setup.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['**/*.mjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { globals: { process: 'readonly', console: 'readonly' } },
  },
);
