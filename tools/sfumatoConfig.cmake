include("${CMAKE_CURRENT_LIST_DIR}/sfumatoTargets.cmake")
