// What the bench of the policy needs of the sources.
export { decide } from "../src/core/policy/decide.ts";
export { CORPUS } from "../test/policy/corpus.ts";
export { GROUND } from "../test/policy/ground.ts";
export { ROUTINE } from "../test/policy/routine.ts";
