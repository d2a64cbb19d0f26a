/** Every program by the name of its file in `dist/`. */
export const PROGRAMS = {
  cli: () => import('./cli.ts'),
  finish: () => import('./finish.ts'),
  hook: () => import('./hook.ts'),
  'import-thread': () => import('./import-thread.ts'),
  mcp: () => import('./mcp.ts'),
  slash: () => import('./slash.ts'),
} as const;
