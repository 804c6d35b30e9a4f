// What the decisions of a workflow reach when they run. A cruise of its own beside .dependency-cruiser.mjs: there imports of
// types count too, and a chain of imports cannot be made to leave them out.
const DECISIONS =
  'answers|followed|followed-rules|failure|loop|next|publish|settle|state|step|steps|submission|talk|view';

export default {
  forbidden: [
    {
      name: 'decided-without-temporal',
      comment:
        'the loop, the steps, and what they decide by run over a runtime (workflows/entity/engine/runtime.ts): none of them loads ' +
        'the SDK of workflows, by however many files between',
      severity: 'error',
      from: { path: `^workflows/[a-z-]+/(${DECISIONS})\\.ts$` },
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
