// Checks the runtime imports of workflow decisions. It is separate from .dependency-cruiser.mjs, whose import chains cannot
// exclude type imports.
export default {
  forbidden: [
    {
      name: 'decided-without-temporal',
      comment:
        'the loop, the steps and their decisions use a runtime (workflows/engine/runtime.ts): none of them may load ' +
        'the workflow SDK, directly or indirectly',
      severity: 'error',
      from: {
        path: '^workflows/.+/',
        pathNot: ['^workflows/(contracts|on-temporal)/', '/(contract|workflow)\\.ts$'],
      },
      to: { path: 'node_modules/@temporalio/workflow/', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
