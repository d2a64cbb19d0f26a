import { serveMcp } from '../compose/mcp.ts';

serveMcp({ env: process.env, cwd: process.cwd() });
