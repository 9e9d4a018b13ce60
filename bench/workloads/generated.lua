-- SPDX-License-Identifier: MIT
-- generated.lua -- documents like those of real programs: people with much text, a game's state with many numbers.

return {
  {
    name = "1000 people", key = "people", decode = true,
    build = function(random)
      return { doc = require "workloads.people"(random, 1000) }
    end,
  },
  {
    name = "game tick", key = "tick", decode = true,
    build = function(random)
      return { doc = require "workloads.game"(random, 100) }
    end,
  },
}
